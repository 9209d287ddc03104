UPDATE api_keys
SET revoked_at = $3
WHERE merchant_id = $1 AND name = $2 AND revoked_at IS NULL
