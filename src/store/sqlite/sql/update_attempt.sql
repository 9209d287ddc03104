-- The conditions repeat rules: the amount of an attempt, a request that may have been sent, and what became of money
-- that came do not change. Whoever would change them finds no row.
UPDATE payment_attempts
SET state = $5, captured_minor = coalesce(captured_minor, CASE WHEN $5 = 'SUCCEEDED' THEN amount_minor END),
    surplus = $6, exposed = $7, cancel_requested = $8, review = $9, request = $10, provider_ref = $11, action_url = $12,
    evidence = $13, answer_code = $14, answer = $15, tries = $16, due_at = $17, first_sent_at = $18, expires_at = $19,
    updated_at = $20, settled_at = $21
WHERE merchant_id = $1 AND order_id = $2 AND attempt_id = $3
  AND amount_minor = $4
  AND (exposed = 0 OR request = $10)
  AND (captured_minor IS NULL OR surplus = $6)
