SELECT merchant_id, order_id
FROM payment_attempts
WHERE attempt_id = $1
