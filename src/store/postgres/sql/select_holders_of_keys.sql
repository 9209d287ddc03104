SELECT wanted.place, a.order_id, a.attempt_id
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (merchant_id, idempotency_key, place)
JOIN payment_attempts AS a ON a.merchant_id = wanted.merchant_id AND a.idempotency_key = wanted.idempotency_key
