-- Should two at once have got the same key, one as a payment and one as something else, the payment comes last and counts.
SELECT wanted.place, r.order_id, '' AS attempt_id, r.refund_id, '' AS capture_id
FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS idempotency_key,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
JOIN refunds AS r ON r.merchant_id = wanted.merchant_id COLLATE "POSIX" AND r.idempotency_key = wanted.idempotency_key
UNION ALL
SELECT wanted.place, c.order_id, '' AS attempt_id, '' AS refund_id, c.capture_id
FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS idempotency_key,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
JOIN captures AS c ON c.merchant_id = wanted.merchant_id COLLATE "POSIX" AND c.idempotency_key = wanted.idempotency_key
UNION ALL
SELECT wanted.place, a.order_id, a.attempt_id, '' AS refund_id, '' AS capture_id
FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS idempotency_key,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
JOIN payment_attempts AS a ON a.merchant_id = wanted.merchant_id COLLATE "POSIX" AND a.idempotency_key = wanted.idempotency_key
