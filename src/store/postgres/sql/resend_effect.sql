UPDATE effects
SET state = 'PENDING', due_at = $4, delivered_at = NULL, tries = 0
WHERE merchant_id = $1 AND attempt_id = $2 AND name = $3
