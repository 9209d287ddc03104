SELECT merchant_id, name, hash_hex, created_at, revoked_at
FROM api_keys
WHERE merchant_id = $1
ORDER BY created_at, hash_hex
