-- CROSS JOIN keeps this order: SQLite would otherwise read all effects of the merchant first.
SELECT a.merchant_id, a.order_id, e.attempt_id, e.name, e.state, e.tries, e.due_at, e.created_at, e.delivered_at,
       e.last_error
FROM payment_attempts AS a
CROSS JOIN effects AS e
WHERE a.merchant_id = $1 AND a.order_id = $2 AND e.merchant_id = a.merchant_id AND e.attempt_id = a.attempt_id
ORDER BY e.attempt_id, e.name
