-- CROSS JOIN keeps this order: SQLite would otherwise read all effects of the merchant first.
SELECT o.merchant_id, o.order_id, a.attempt_id, e.refund_id, e.name, e.state, e.tries, e.due_at, e.created_at, e.delivered_at,
       e.last_error
FROM orders AS o
CROSS JOIN payment_attempts AS a
CROSS JOIN effects AS e
WHERE o.merchant_id = $1 AND o.order_id = $2 AND a.order_row = o.order_row AND e.attempt_row = a.attempt_row
ORDER BY a.attempt_id, e.refund_id, e.name
