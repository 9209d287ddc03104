SELECT wanted.place, last.sequence
FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS order_id,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
CROSS JOIN LATERAL (SELECT e.sequence FROM attempt_events AS e
                    WHERE e.merchant_id = wanted.merchant_id COLLATE "POSIX" AND e.order_id = wanted.order_id
                    ORDER BY e.sequence DESC
                    LIMIT 1) AS last
