SELECT at, merchant_id, order_id, sequence
FROM attempt_events
WHERE (merchant_id, sequence) > ($1, $2)
ORDER BY merchant_id, sequence
LIMIT $3
