-- A refund knows its attempt.
UPDATE effects
SET state = 'PENDING', due_at = $5, delivered_at = NULL, tries = 0
WHERE merchant_id = $1 AND attempt_id = coalesce((SELECT r.attempt_id FROM refunds AS r WHERE r.refund_id = $3), $2)
  AND refund_id = $3 AND name = $4
