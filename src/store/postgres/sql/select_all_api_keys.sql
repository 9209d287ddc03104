SELECT merchant_id, name, hash_hex, created_at, revoked_at
FROM api_keys
ORDER BY merchant_id, hash_hex
