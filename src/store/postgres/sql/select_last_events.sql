SELECT wanted.place, last.sequence
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (merchant_id, order_id, place)
CROSS JOIN LATERAL (SELECT e.sequence FROM attempt_events AS e
                    WHERE e.merchant_id = wanted.merchant_id COLLATE "POSIX" AND e.order_id = wanted.order_id
                    ORDER BY e.sequence DESC
                    LIMIT 1) AS last
