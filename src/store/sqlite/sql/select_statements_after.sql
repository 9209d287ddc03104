SELECT provider, day, digest_hex, lines, imported_at
FROM statements
WHERE (provider, day) > ($1, $2)
ORDER BY provider, day
LIMIT $3
