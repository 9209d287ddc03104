SELECT o.merchant_id, o.order_id, a.attempt_id, e.refund_id, e.name, e.state, e.tries, e.due_at, e.created_at, e.delivered_at,
       e.last_error
FROM effects AS e
CROSS JOIN payment_attempts AS a
CROSS JOIN orders AS o
WHERE e.merchant_id = $1 AND e.state = 'DEAD' AND a.attempt_row = e.attempt_row AND o.order_row = a.order_row
ORDER BY e.created_at, e.attempt_row, e.refund_id, e.name
LIMIT $2
