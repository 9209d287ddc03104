SELECT wanted.place, a.merchant_id, a.order_id
FROM (SELECT unnest($1::text[]) AS attempt_id,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
JOIN payment_attempts AS a ON a.attempt_id = wanted.attempt_id
