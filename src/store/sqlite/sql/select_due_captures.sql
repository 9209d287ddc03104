SELECT o.merchant_id, o.order_id, c.capture_id, c.due_at
FROM captures AS c
JOIN orders AS o ON o.order_row = c.order_row
WHERE c.due_at <= $1
ORDER BY c.due_at
LIMIT $2
