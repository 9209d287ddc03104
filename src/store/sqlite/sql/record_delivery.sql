-- A slow worker whose lease ran out may tell late that it did deliver, but can't undo what another one achieved.
UPDATE effects
SET state = $5, due_at = $6, delivered_at = $7, last_error = $8
WHERE attempt_row = (SELECT a.attempt_row FROM payment_attempts AS a WHERE a.attempt_id = $2
                     AND a.merchant_id = $1)
  AND refund_id = $3 AND name = $4
  AND (state = 'PENDING' OR (state = 'DEAD' AND $5 = 'DELIVERED'))
