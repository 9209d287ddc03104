SELECT wanted.place, c.capture_id, c.attempt_id, c.idempotency_key, c.amount_minor, c.currency, c.is_final,
       c.state, c.request, c.provider_ref, c.evidence, c.answer_code, c.answer, c.tries, c.due_at, c.created_at,
       c.updated_at
FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS order_id,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
JOIN captures AS c ON c.merchant_id = wanted.merchant_id AND c.order_id = wanted.order_id
ORDER BY wanted.place, c.created_at, c.capture_id
