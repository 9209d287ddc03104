SELECT e.merchant_id, e.order_id, e.attempt_id, e.name, e.state, e.tries, e.due_at, e.created_at, e.delivered_at,
       e.last_error
FROM payment_attempts AS a
JOIN effects AS e ON e.merchant_id = a.merchant_id AND e.attempt_id = a.attempt_id
WHERE a.merchant_id = $1 AND a.order_id = $2
ORDER BY e.attempt_id, e.name
