UPDATE effects
SET due_at = $4, tries = tries + 1
WHERE attempt_row = $1 AND refund_id = $2 AND name = $3
