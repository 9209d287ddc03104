-- The merchant's last event stays: from it the feed's numbers are known to grow after a move to another server.
DELETE FROM attempt_events AS e
USING unnest($1::text[], $2::text[]) AS o (merchant_id, order_id)
WHERE e.merchant_id = o.merchant_id COLLATE "POSIX" AND e.order_id = o.order_id
  AND e.sequence < (SELECT last.sequence FROM attempt_events AS last
                    WHERE last.merchant_id = o.merchant_id
                    ORDER BY last.merchant_id DESC, last.sequence DESC
                    LIMIT 1)
