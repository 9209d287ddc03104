-- A role without pg_read_all_stats sees that there are standbys, and not of which kind.
SELECT count(*),
       count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')),
       count(*) FILTER (WHERE sync_state IS NULL)
FROM pg_stat_replication
