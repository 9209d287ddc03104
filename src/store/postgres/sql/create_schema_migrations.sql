CREATE TABLE schema_migrations (
  number   INTEGER NOT NULL PRIMARY KEY,
  name     TEXT NOT NULL,
  checksum TEXT NOT NULL
)
