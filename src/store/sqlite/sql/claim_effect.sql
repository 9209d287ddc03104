UPDATE effects
SET due_at = $4, tries = tries + 1
WHERE merchant_id = $1 AND attempt_id = $2 AND name = $3
RETURNING tries, created_at, last_error
