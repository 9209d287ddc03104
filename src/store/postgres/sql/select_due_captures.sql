SELECT merchant_id, order_id, capture_id, due_at
FROM captures
WHERE due_at <= $1
ORDER BY due_at
LIMIT $2
