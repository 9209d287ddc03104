INSERT INTO attempt_events (sequence, merchant_id, order_row, attempt_id, refund_id, type, from_state, to_state, evidence,
                            actor, code, text, at)
SELECT $1, $2, o.order_row, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
FROM orders AS o
WHERE o.merchant_id = $2 AND o.order_id = $3
