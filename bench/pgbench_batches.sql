-- The rows of bench/pgbench.sql, 64 payments at a time: a statement for all rows of a table, in two transactions. For
-- pgbench, in payonce's own tables, without rules or answers: what the server can do with batches. `n` counts payments.
\set first :client_id * 1000000000 + :n
\set n :n + 64
BEGIN;
INSERT INTO orders (merchant_id, order_id, amount_minor, currency, policy, capture, state, paid_minor, held_minor,
                    metadata, created_at, updated_at)
SELECT 'bench', 'o-' || it, 1999, 'CNY', 'single', 'automatic', 'OPEN', 0, 1999, '', 1, 1
FROM generate_series(:first::bigint, :first::bigint + 63) AS it
ON CONFLICT DO NOTHING;
INSERT INTO payment_attempts (merchant_id, order_id, attempt_id, policy, idempotency_key, fingerprint, provider, method,
                              amount_minor, currency, metadata, state, surplus, exposed, cancel_requested, review,
                              request, provider_ref, action_url, answer_code, answer, tries, due_at, first_sent_at,
                              expires_at, created_at, updated_at, part, disputes)
SELECT 'bench', 'o-' || it, 'pay_' || it, 'single', 'k-' || it,
       '568e4630f9596bbbbd4c5b566a3f202760c43cbf1cbb8675db96ade32edf9b3e', 'instant', '', 1999, 'CNY', '', 'PROCESSING',
       false, true, false, '', '{"number":"pay_01m8mygy3hamc5jbtw586r0twz","amount":1999,"currency":"CNY"}', '', '', '',
       '', 0, 1, 1, 2, 1, 1, '', 0
FROM generate_series(:first::bigint, :first::bigint + 63) AS it;
INSERT INTO attempt_events (merchant_id, sequence, order_id, attempt_id, refund_id, type, from_state, to_state, actor,
                            code, text, at)
SELECT 'bench', it * 4 + place, 'o-' || it, CASE place WHEN 1 THEN '' ELSE 'pay_' || it END, '',
       CASE place WHEN 1 THEN 'order.registered' ELSE 'payment.created' END, '',
       CASE place WHEN 1 THEN 'OPEN' ELSE 'PROCESSING' END, '', '',
       CASE place WHEN 1 THEN 'Order registered: 19.99 CNY.' ELSE 'Payment of 19.99 CNY by instant begun under a key.' END,
       1
FROM generate_series(:first::bigint, :first::bigint + 63) AS it, generate_series(1, 2) AS place;
COMMIT;
BEGIN;
UPDATE payment_attempts AS a
SET state = 'SUCCEEDED', captured_minor = 1999, evidence = 'response', answer_code = 'ok', due_at = NULL,
    provider_ref = a.attempt_id, settled_at = 2, updated_at = 2
FROM (SELECT 'bench' AS merchant_id, 'o-' || it AS order_id, 'pay_' || it AS attempt_id
      FROM generate_series(:first::bigint, :first::bigint + 63) AS it OFFSET 0) AS new
WHERE a.merchant_id = new.merchant_id AND a.order_id = new.order_id AND a.attempt_id = new.attempt_id;
UPDATE orders AS o SET state = 'PAID', paid_minor = 1999, held_minor = 0, updated_at = 2
FROM (SELECT 'bench' AS merchant_id, 'o-' || it AS order_id
      FROM generate_series(:first::bigint, :first::bigint + 63) AS it OFFSET 0) AS new
WHERE o.merchant_id = new.merchant_id AND o.order_id = new.order_id;
INSERT INTO attempt_events (merchant_id, sequence, order_id, attempt_id, refund_id, type, from_state, to_state, evidence,
                            actor, code, text, at)
SELECT 'bench', it * 4 + 3, 'o-' || it, 'pay_' || it, '', 'payment.succeeded', 'PROCESSING', 'SUCCEEDED', 'response', '',
       'ok', 'The response says succeeded: ok.', 2
FROM generate_series(:first::bigint, :first::bigint + 63) AS it;
INSERT INTO effects (merchant_id, order_id, attempt_id, refund_id, name, state, tries, due_at, created_at, last_error)
SELECT 'bench', 'o-' || it, 'pay_' || it, '', name, 'PENDING', 0, 2, 2, ''
FROM generate_series(:first::bigint, :first::bigint + 63) AS it, unnest(ARRAY['ship', 'points', 'notify']) AS name;
INSERT INTO journal (merchant_id, order_id, attempt_id, refund_id, debit, credit, amount_minor, currency, at)
SELECT 'bench', 'o-' || it, 'pay_' || it, '', 'provider', 'revenue', 1999, 'CNY', 2
FROM generate_series(:first::bigint, :first::bigint + 63) AS it;
COMMIT;
