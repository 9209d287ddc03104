-- A slow worker whose lease ran out may tell late that it did deliver, but can't undo what another one achieved.
UPDATE effects
SET state = $4, due_at = $5, delivered_at = $6, last_error = $7
WHERE attempt_row = (SELECT a.attempt_row FROM payment_attempts AS a WHERE a.attempt_id = $2
                     AND a.merchant_id = $1)
  AND name = $3
  AND (state = 'PENDING' OR (state = 'DEAD' AND $4 = 'DELIVERED'))
