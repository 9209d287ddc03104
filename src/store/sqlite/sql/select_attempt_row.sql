SELECT attempt_row
FROM payment_attempts
WHERE attempt_id = $1
