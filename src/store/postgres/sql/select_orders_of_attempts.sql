SELECT wanted.place, a.merchant_id, a.order_id
FROM unnest($1::text[]) WITH ORDINALITY AS wanted (attempt_id, place)
JOIN payment_attempts AS a ON a.attempt_id = wanted.attempt_id
