SELECT o.order_id, a.attempt_id
FROM payment_attempts AS a
JOIN orders AS o ON o.order_row = a.order_row
WHERE a.merchant_id = $1 AND a.idempotency_key = $2
