-- One row of texts; NULL is what this server does not know. reset_val is what a session has that sets nothing itself,
-- as payonce does with synchronous_commit.
SELECT current_setting('server_version_num', true),
       current_setting('fsync', true),
       current_setting('full_page_writes', true),
       (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit'),
       current_setting('synchronous_standby_names', true),
       current_setting('autovacuum', true),
       (SELECT datcollate FROM pg_database WHERE datname = current_database()),
       current_schema()::text,
       version()
