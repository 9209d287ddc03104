-- The amount stands in the condition: whoever would change it finds no row.
UPDATE captures
SET state = $4, request = $5, provider_ref = $6, evidence = $7, answer_code = $8, answer = $9, tries = $10, due_at = $11,
    updated_at = $12
WHERE order_row = $1 AND capture_id = $2 AND amount_minor = $3
