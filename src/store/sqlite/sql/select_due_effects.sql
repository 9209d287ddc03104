-- CROSS JOIN keeps this order: the index of what is due, then each row by its number.
SELECT e.attempt_row, e.refund_id, e.tries, e.created_at, e.last_error, o.merchant_id, o.order_id,
       a.attempt_id, a.idempotency_key, a.fingerprint, a.provider, a.method, a.amount_minor,
       a.currency, a.metadata, a.state, a.surplus, a.exposed, a.cancel_requested, a.review, a.request, a.provider_ref,
       a.action_url, a.evidence, a.answer_code, a.answer, a.tries, a.due_at, a.first_sent_at, a.expires_at, a.created_at,
       a.updated_at, a.settled_at, a.part, a.disputes,
       nullif(a.captured_minor, a.amount_minor) AS captured_minor
FROM effects AS e
CROSS JOIN payment_attempts AS a
CROSS JOIN orders AS o
WHERE e.state = 'PENDING' AND e.merchant_id = $1 AND e.name = $2 AND e.due_at <= $3 AND a.attempt_row = e.attempt_row
  AND o.order_row = a.order_row
ORDER BY e.due_at
LIMIT $4
