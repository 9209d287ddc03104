SELECT merchant_id, order_id, due_at
FROM orders
WHERE due_at <= $1
ORDER BY due_at
LIMIT $2
