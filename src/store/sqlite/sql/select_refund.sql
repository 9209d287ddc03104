SELECT o.merchant_id, o.order_id, r.refund_id, r.attempt_id, r.idempotency_key, r.reason, r.amount_minor, r.currency,
       r.state, r.review, r.request, r.provider_ref, r.evidence, r.answer_code, r.answer, r.tries, r.due_at, r.created_at,
       r.updated_at, r.origin
FROM refunds AS r
JOIN orders AS o ON o.order_row = r.order_row
WHERE r.refund_id = $1
