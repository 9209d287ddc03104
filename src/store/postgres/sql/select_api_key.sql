SELECT merchant_id, name, hash_hex, created_at, revoked_at
FROM api_keys
WHERE hash_hex = $1
