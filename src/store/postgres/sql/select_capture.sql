SELECT c.merchant_id, c.order_id, c.capture_id, c.attempt_id, c.idempotency_key, c.amount_minor, c.currency, c.is_final,
       c.state, c.request, c.provider_ref, c.evidence, c.answer_code, c.answer, c.tries, c.due_at, c.created_at,
       c.updated_at
FROM captures AS c
WHERE c.capture_id = $1
