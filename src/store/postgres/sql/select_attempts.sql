SELECT a.merchant_id, a.order_id, a.attempt_id, a.idempotency_key, a.fingerprint, a.provider, a.method, a.amount_minor,
       a.currency, a.metadata, a.state, a.surplus, a.exposed, a.cancel_requested, a.review, a.request, a.provider_ref,
       a.action_url, a.evidence, a.answer_code, a.answer, a.tries, a.due_at, a.first_sent_at, a.expires_at, a.created_at,
       a.updated_at, a.settled_at, a.part, a.disputes,
       nullif(a.captured_minor, a.amount_minor) AS captured_minor
FROM (SELECT unnest($1::text[]) AS attempt_id,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
JOIN payment_attempts AS a ON a.attempt_id = wanted.attempt_id
ORDER BY wanted.place
