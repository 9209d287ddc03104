SELECT merchant_id, order_id, attempt_id, refund_id, name, state, tries, due_at, created_at, delivered_at, last_error
FROM effects
WHERE merchant_id = $1 AND state = 'DEAD'
ORDER BY created_at, attempt_id, refund_id, name
LIMIT $2
