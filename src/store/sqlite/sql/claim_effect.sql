UPDATE effects
SET due_at = $5, tries = tries + 1
WHERE attempt_row = (SELECT a.attempt_row FROM payment_attempts AS a WHERE a.attempt_id = $2
                     AND a.merchant_id = $1)
  AND refund_id = $3 AND name = $4
RETURNING tries, created_at, last_error
