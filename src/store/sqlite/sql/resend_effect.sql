-- A refund knows its attempt.
UPDATE effects
SET state = 'PENDING', due_at = $5, delivered_at = NULL, tries = 0
WHERE attempt_row = (SELECT a.attempt_row FROM payment_attempts AS a
                     WHERE a.attempt_id = coalesce((SELECT r.attempt_id FROM refunds AS r WHERE r.refund_id = $3), $2)
                       AND a.merchant_id = $1)
  AND refund_id = $3 AND name = $4
