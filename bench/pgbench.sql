-- The rows of one payment as separate statements in two transactions, as a shop's own service would write them; for
-- pgbench, in payonce's own tables. `n` counts the payments of a client.
\set n :n + 1
\set first :client_id * 1000000000 + :n * 4
\set second :first + 1
\set third :first + 2
BEGIN;
INSERT INTO orders (merchant_id, order_id, amount_minor, currency, policy, capture, state, paid_minor, held_minor,
                    metadata, created_at, updated_at)
VALUES ('bench', 'o-' || :client_id || '-' || :n, 1999, 'CNY', 'single', 'automatic', 'OPEN', 0, 1999, '', 1,
        1)
ON CONFLICT DO NOTHING;
INSERT INTO payment_attempts (merchant_id, order_id, attempt_id, policy, idempotency_key, fingerprint, provider, method,
                              amount_minor, currency, metadata, state, surplus, exposed, cancel_requested, review,
                              request, provider_ref, action_url, answer_code, answer, tries, due_at, first_sent_at,
                              expires_at, created_at, updated_at, part, disputes)
VALUES ('bench', 'o-' || :client_id || '-' || :n, 'pay_' || :client_id || '-' || :n, 'single',
        'k-' || :client_id || '-' || :n, '568e4630f9596bbbbd4c5b566a3f202760c43cbf1cbb8675db96ade32edf9b3e', 'instant',
        '', 1999, 'CNY', '', 'PROCESSING', false, true, false, '',
        '{"number":"pay_01m8mygy3hamc5jbtw586r0twz","amount":1999,"currency":"CNY"}', '', '', '', '', 0, 1, 1, 2, 1, 1,
        '', 0);
INSERT INTO attempt_events (merchant_id, sequence, order_id, attempt_id, refund_id, type, from_state, to_state, actor,
                            code, text, at)
VALUES ('bench', :first, 'o-' || :client_id || '-' || :n, '', '', 'order.registered', '', 'OPEN', '', '',
        'Order registered: 19.99 CNY.', 1);
INSERT INTO attempt_events (merchant_id, sequence, order_id, attempt_id, refund_id, type, from_state, to_state, actor,
                            code, text, at)
VALUES ('bench', :second, 'o-' || :client_id || '-' || :n, 'pay_' || :client_id || '-' || :n, '',
        'payment.created', '', 'PROCESSING', '', '', 'Payment of 19.99 CNY by instant begun under a key.', 1);
COMMIT;
BEGIN;
UPDATE payment_attempts
SET state = 'SUCCEEDED', captured_minor = 1999, evidence = 'response', answer_code = 'ok', due_at = NULL,
    provider_ref = attempt_id, settled_at = 2, updated_at = 2
WHERE merchant_id = 'bench' AND order_id = 'o-' || :client_id || '-' || :n
  AND attempt_id = 'pay_' || :client_id || '-' || :n;
UPDATE orders SET state = 'PAID', paid_minor = 1999, held_minor = 0, updated_at = 2
WHERE merchant_id = 'bench' AND order_id = 'o-' || :client_id || '-' || :n;
INSERT INTO attempt_events (merchant_id, sequence, order_id, attempt_id, refund_id, type, from_state, to_state, evidence,
                            actor, code, text, at)
VALUES ('bench', :third, 'o-' || :client_id || '-' || :n, 'pay_' || :client_id || '-' || :n, '',
        'payment.succeeded', 'PROCESSING', 'SUCCEEDED', 'response', '', 'ok', 'The response says succeeded: ok.', 2);
INSERT INTO effects (merchant_id, order_id, attempt_id, refund_id, name, state, tries, due_at, created_at, last_error)
VALUES ('bench', 'o-' || :client_id || '-' || :n, 'pay_' || :client_id || '-' || :n, '', 'ship', 'PENDING', 0, 2, 2, '');
INSERT INTO effects (merchant_id, order_id, attempt_id, refund_id, name, state, tries, due_at, created_at, last_error)
VALUES ('bench', 'o-' || :client_id || '-' || :n, 'pay_' || :client_id || '-' || :n, '', 'points', 'PENDING', 0, 2, 2, '');
INSERT INTO effects (merchant_id, order_id, attempt_id, refund_id, name, state, tries, due_at, created_at, last_error)
VALUES ('bench', 'o-' || :client_id || '-' || :n, 'pay_' || :client_id || '-' || :n, '', 'notify', 'PENDING', 0, 2, 2, '');
INSERT INTO journal (merchant_id, order_id, attempt_id, refund_id, debit, credit, amount_minor, currency, at)
VALUES ('bench', 'o-' || :client_id || '-' || :n, 'pay_' || :client_id || '-' || :n, '', 'provider', 'revenue', 1999,
        'CNY', 2);
COMMIT;
