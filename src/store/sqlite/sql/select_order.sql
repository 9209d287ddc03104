SELECT merchant_id, order_id, amount_minor, currency, policy, state, paid_minor, held_minor, metadata, created_at,
       updated_at, expires_at, due_at, capture, order_row
FROM orders
WHERE merchant_id = $1 AND order_id = $2
