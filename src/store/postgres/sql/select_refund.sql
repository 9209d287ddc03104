SELECT r.merchant_id, r.order_id, r.refund_id, r.attempt_id, r.idempotency_key, r.reason, r.amount_minor, r.currency,
       r.state, r.review, r.request, r.provider_ref, r.evidence, r.answer_code, r.answer, r.tries, r.due_at, r.created_at,
       r.updated_at, r.origin
FROM refunds AS r
WHERE r.refund_id = $1
