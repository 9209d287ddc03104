-- What payonce needs of its sessions. Time limits are a proposal: what the URL, the role or the database says goes first.
-- Plans are made once, for empty tables perhaps, and kept: without hash and merge joins, sequential and bitmap scans there
-- is only the way through an index, which is right at any size. A commit is durable when it returns; a server that waits
-- for more than its own disk keeps its setting.
SELECT set_config(ours.name, ours.value, false)
FROM (VALUES ('statement_timeout', '10s', true),
             ('lock_timeout', '5s', true),
             ('idle_in_transaction_session_timeout', '10s', true),
             ('plan_cache_mode', 'force_generic_plan', false),
             ('enable_seqscan', 'off', false),
             ('enable_bitmapscan', 'off', false),
             ('enable_hashjoin', 'off', false),
             ('enable_mergejoin', 'off', false),
             ('jit', 'off', false),
             ('synchronous_commit', 'on', false)) AS ours (name, value, is_proposal)
JOIN pg_settings AS theirs ON theirs.name = ours.name
WHERE (NOT ours.is_proposal OR theirs.source NOT IN ('client', 'user', 'database', 'database user'))
  AND (ours.name <> 'synchronous_commit' OR theirs.setting IN ('off', 'local'))
