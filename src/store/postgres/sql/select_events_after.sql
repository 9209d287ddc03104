-- Only what lies below the ids of all running transactions: whatever else commits later stands behind it.
SELECT sequence, merchant_id, order_id, attempt_id, refund_id, type, from_state, to_state, evidence, actor, code, text, at
FROM attempt_events
WHERE merchant_id = $1 AND sequence > $2
  AND sequence < (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 1048576 + sequence_offset
                  FROM event_feed)
ORDER BY sequence
LIMIT $3
