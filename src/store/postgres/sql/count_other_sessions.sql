-- Sessions of payonce on this database besides our own; an idle one holds no lock by which it could be found.
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database() AND application_name = 'payonce' AND pid <> pg_backend_pid()
