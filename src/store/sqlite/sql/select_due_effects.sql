SELECT attempt_id
FROM effects
WHERE state = 'PENDING' AND merchant_id = $1 AND name = $2 AND due_at <= $3
ORDER BY due_at
LIMIT $4
