SELECT o.merchant_id, o.order_id
FROM payment_attempts AS a
JOIN orders AS o ON o.order_row = a.order_row
WHERE a.attempt_id = $1
