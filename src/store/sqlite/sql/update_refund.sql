-- The amount stands in the condition: whoever would change it finds no row.
UPDATE refunds
SET state = $4, review = $5, request = $6, provider_ref = $7, evidence = $8, answer_code = $9, answer = $10,
    tries = $11, due_at = $12, updated_at = $13
WHERE order_row = $1 AND refund_id = $2 AND amount_minor = $3
