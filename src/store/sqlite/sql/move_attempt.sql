-- Takes the place of its part, or gives it up.
UPDATE payment_attempts
SET place = CASE WHEN $2 THEN part END
WHERE attempt_row = $1
