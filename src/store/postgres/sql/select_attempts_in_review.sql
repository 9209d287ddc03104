-- Also attempts that are fine themselves but have a refund that needs a person.
SELECT attempt_id FROM payment_attempts WHERE merchant_id = $1 AND review <> ''
UNION
SELECT attempt_id FROM refunds WHERE merchant_id = $1 AND review <> ''
ORDER BY attempt_id
LIMIT $2
