SELECT provider, day, digest_hex, lines, imported_at
FROM statements
WHERE provider = $1 AND day = $2
