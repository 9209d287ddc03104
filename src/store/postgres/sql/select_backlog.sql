-- Counts end at 10,000: they are asked for every few seconds, and must cost little just when much waits.
SELECT (SELECT min(created_at) FROM payment_attempts WHERE state = 'UNKNOWN') AS oldest_unknown,
       (SELECT count(*) FROM (SELECT 1 FROM payment_attempts WHERE state = 'UNKNOWN' LIMIT 10000) AS it) AS unknown,
       (SELECT count(*) FROM (SELECT attempt_id FROM payment_attempts WHERE review <> ''
                              UNION
                              SELECT attempt_id FROM refunds WHERE review <> ''
                              LIMIT 10000) AS it) AS in_review,
       (SELECT count(*) FROM (SELECT 1 FROM effects WHERE state = 'PENDING' LIMIT 10000) AS it) AS effects_pending,
       (SELECT count(*) FROM (SELECT 1 FROM effects WHERE state = 'DEAD' LIMIT 10000) AS it) AS effects_dead,
       (SELECT count(*) FROM (SELECT 1 FROM processed_webhook_events WHERE due_at IS NOT NULL
                              LIMIT 10000) AS it) AS notices_unmatched,
       (SELECT count(*) FROM (SELECT 1 FROM discrepancies WHERE resolved_at IS NULL LIMIT 10000) AS it) AS discrepancies
