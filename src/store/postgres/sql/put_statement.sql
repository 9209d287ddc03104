INSERT INTO statements (provider, day, digest_hex, lines, imported_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (provider, day) DO UPDATE
SET digest_hex = excluded.digest_hex, lines = excluded.lines, imported_at = excluded.imported_at
