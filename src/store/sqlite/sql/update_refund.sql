-- The amount stands in the condition: whoever would change it finds no row.
UPDATE refunds
SET state = $5, review = $6, request = $7, provider_ref = $8, evidence = $9, answer_code = $10, answer = $11,
    tries = $12, due_at = $13, updated_at = $14
WHERE merchant_id = $1 AND order_id = $2 AND refund_id = $3 AND amount_minor = $4
