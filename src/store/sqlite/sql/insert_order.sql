INSERT INTO orders (merchant_id, order_id, amount_minor, currency, policy, state, paid_minor, held_minor, metadata,
                    created_at, updated_at, expires_at, due_at, capture)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
