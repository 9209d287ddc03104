SELECT order_id, attempt_id
FROM payment_attempts
WHERE merchant_id = $1 AND idempotency_key = $2
