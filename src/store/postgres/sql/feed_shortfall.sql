-- By how much the feed's offset is too small for this server: positive only after the data came here from another one
-- whose transaction ids were higher. The last sequence is looked up merchant by merchant: no index holds it for all.
WITH RECURSIVE merchants (merchant_id) AS (
  (SELECT merchant_id FROM attempt_events ORDER BY merchant_id LIMIT 1)
  UNION ALL
  SELECT (SELECT e.merchant_id FROM attempt_events AS e WHERE e.merchant_id > m.merchant_id
          ORDER BY e.merchant_id LIMIT 1)
  FROM merchants AS m
  WHERE m.merchant_id IS NOT NULL
)
SELECT coalesce(max((SELECT e.sequence FROM attempt_events AS e WHERE e.merchant_id = m.merchant_id
                     ORDER BY e.merchant_id DESC, e.sequence DESC LIMIT 1))
                - (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint * 1048576 + sequence_offset
                   FROM event_feed) + 1, 0)
FROM merchants AS m
WHERE m.merchant_id IS NOT NULL
