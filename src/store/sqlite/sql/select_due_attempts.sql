SELECT o.merchant_id, o.order_id, a.attempt_id, a.due_at
FROM payment_attempts AS a
JOIN orders AS o ON o.order_row = a.order_row
WHERE a.due_at <= $1
ORDER BY a.due_at
LIMIT $2
