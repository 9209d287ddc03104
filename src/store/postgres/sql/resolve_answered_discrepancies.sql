-- A subquery and not EXISTS, which may become a join that reads all notices; and not by the index that begins with the
-- provider.
UPDATE discrepancies AS d
SET resolved_at = $2, resolved_by = 'reconciliation', note = 'a later line has answered it'
WHERE d.provider = $1 AND d.resolved_at IS NULL
  AND (SELECT true FROM processed_webhook_events AS e
       WHERE e.number = d.number AND e.provider = d.provider COLLATE "POSIX" AND e.statement_day IS NOT NULL
         AND (d.kind = 'missing' OR
              (d.kind = 'unknown' AND e.event_id = d.subject AND e.disposition = 'applied'))
       LIMIT 1)
