SELECT wanted.place, r.refund_id, r.attempt_id, r.idempotency_key, r.reason, r.amount_minor, r.currency, r.state,
       r.review, r.request, r.provider_ref, r.evidence, r.answer_code, r.answer, r.tries, r.due_at, r.created_at, r.updated_at, r.origin
FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS order_id,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
JOIN refunds AS r ON r.merchant_id = wanted.merchant_id AND r.order_id = wanted.order_id
ORDER BY wanted.place, r.created_at, r.refund_id
