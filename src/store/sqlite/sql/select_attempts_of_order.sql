SELECT attempt_id, idempotency_key, fingerprint, provider, method, amount_minor, currency, metadata, state, surplus, exposed,
       cancel_requested, review, request, provider_ref, action_url, evidence, answer_code, answer, tries, due_at,
       first_sent_at, expires_at, created_at, updated_at, settled_at, part, disputes,
       nullif(captured_minor, amount_minor) AS captured_minor
FROM payment_attempts
WHERE order_row = $1
