INSERT INTO captures (merchant_id, order_row, capture_id, attempt_id, idempotency_key, amount_minor, currency, is_final,
                      created_at, state, request, provider_ref, evidence, answer_code, answer, tries, due_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
