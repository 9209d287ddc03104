UPDATE effects
SET state = 'PENDING', due_at = $4, delivered_at = NULL, tries = 0
WHERE attempt_row = (SELECT a.attempt_row FROM payment_attempts AS a WHERE a.attempt_id = $2
                     AND a.merchant_id = $1)
  AND name = $3
