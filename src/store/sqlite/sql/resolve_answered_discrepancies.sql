UPDATE discrepancies
SET resolved_at = $2, resolved_by = 'reconciliation', note = 'a later line has answered it'
WHERE provider = $1 AND resolved_at IS NULL
  AND EXISTS (SELECT 1 FROM processed_webhook_events AS e
              WHERE e.number = discrepancies.number AND e.provider = discrepancies.provider
                AND e.statement_day IS NOT NULL
                AND (discrepancies.kind = 'missing' OR
                     (discrepancies.kind = 'unknown' AND e.event_id = discrepancies.subject
                      AND e.disposition = 'applied')))
