INSERT INTO payment_attempts (merchant_id, order_row, attempt_id, policy, idempotency_key, fingerprint, provider, method,
                              amount_minor, currency, metadata, created_at, state, captured_minor, surplus, exposed,
                              cancel_requested, review, request, provider_ref, action_url, evidence, answer_code, answer,
                              tries, due_at, first_sent_at, expires_at, updated_at, settled_at, part, disputes, place)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
        $25, $26, $27, $28, $29, $30, $31, $32, $33)
