SELECT merchant_id, order_id, attempt_id, due_at
FROM payment_attempts
WHERE due_at <= $1
ORDER BY due_at
LIMIT $2
