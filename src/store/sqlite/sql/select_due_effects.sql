SELECT a.attempt_id, e.refund_id
FROM effects AS e
JOIN payment_attempts AS a ON a.attempt_row = e.attempt_row
WHERE e.state = 'PENDING' AND e.merchant_id = $1 AND e.name = $2 AND e.due_at <= $3
ORDER BY e.due_at
LIMIT $4
