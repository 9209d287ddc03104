INSERT INTO api_keys (merchant_id, hash_hex, name, created_at, revoked_at)
VALUES ($1, $2, $3, $4, $5)
