INSERT INTO schema_migrations (number, name, checksum)
VALUES ($1::bigint, $2, $3)
