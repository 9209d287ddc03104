INSERT INTO refunds (merchant_id, order_row, refund_id, attempt_id, idempotency_key, reason, amount_minor, currency,
                     created_at, state, review, request, provider_ref, evidence, answer_code, answer, tries, due_at,
                     updated_at, origin)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
