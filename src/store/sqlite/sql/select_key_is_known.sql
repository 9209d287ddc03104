-- Of indexes alone: nearly every key that is asked for is new.
SELECT 1 FROM payment_attempts WHERE merchant_id = $1 AND idempotency_key = $2
UNION ALL
SELECT 1 FROM refunds WHERE merchant_id = $1 AND idempotency_key = $2
UNION ALL
SELECT 1 FROM captures WHERE merchant_id = $1 AND idempotency_key = $2
LIMIT 1
