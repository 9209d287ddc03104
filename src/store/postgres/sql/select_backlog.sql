SELECT (SELECT min(created_at) FROM payment_attempts WHERE state = 'UNKNOWN') AS oldest_unknown,
       (SELECT count(*) FROM payment_attempts WHERE state = 'UNKNOWN') AS unknown,
       (SELECT count(*) FROM (SELECT attempt_id FROM payment_attempts WHERE review <> ''
                              UNION
                              SELECT attempt_id FROM refunds WHERE review <> '') AS reviewed) AS in_review,
       (SELECT count(*) FROM effects WHERE state = 'PENDING') AS effects_pending,
       (SELECT count(*) FROM effects WHERE state = 'DEAD') AS effects_dead,
       (SELECT count(*) FROM processed_webhook_events WHERE due_at IS NOT NULL) AS notices_unmatched
