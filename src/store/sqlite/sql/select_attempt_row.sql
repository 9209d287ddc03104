SELECT attempt_row, place IS NOT NULL AS has_place
FROM payment_attempts
WHERE attempt_id = $1
