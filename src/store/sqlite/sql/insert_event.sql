INSERT INTO attempt_events (merchant_id, order_row, attempt_id, refund_id, type, from_state, to_state, evidence, actor,
                            code, text, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
