SELECT capture_id, attempt_id, idempotency_key, amount_minor, currency, is_final, state, request, provider_ref, evidence,
       answer_code, answer, tries, due_at, created_at, updated_at
FROM captures
WHERE order_row = $1
