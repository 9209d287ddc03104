SELECT refund_id, attempt_id, idempotency_key, reason, amount_minor, currency, state, review, request, provider_ref,
       evidence, answer_code, answer, tries, due_at, created_at, updated_at, origin
FROM refunds
WHERE order_row = $1
