-- The conditions repeat rules: the amount of an attempt, a request that may have been sent, and what became of money
-- that came do not change. Whoever would change them finds no row.
UPDATE payment_attempts
SET state = $4, captured_minor = coalesce($22, captured_minor),
    surplus = $5, exposed = $6, cancel_requested = $7, review = $8, request = $9, provider_ref = $10, action_url = $11,
    evidence = $12, answer_code = $13, answer = $14, tries = $15, due_at = $16, first_sent_at = $17, expires_at = $18,
    updated_at = $19, settled_at = $20, disputes = $21
WHERE attempt_row = $1 AND attempt_id = $2
  AND amount_minor = $3
  AND (exposed = 0 OR request = $9)
  AND (captured_minor IS NULL OR (surplus = $5 AND captured_minor <= coalesce($22, captured_minor)))
