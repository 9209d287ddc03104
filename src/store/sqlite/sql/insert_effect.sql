INSERT INTO effects (attempt_row, refund_id, name, merchant_id, state, tries, due_at, created_at, delivered_at, last_error)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
