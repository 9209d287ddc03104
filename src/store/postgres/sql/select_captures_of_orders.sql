SELECT wanted.place, c.capture_id, c.attempt_id, c.idempotency_key, c.amount_minor, c.currency, c.is_final,
       c.state, c.request, c.provider_ref, c.evidence, c.answer_code, c.answer, c.tries, c.due_at, c.created_at,
       c.updated_at
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (merchant_id, order_id, place)
JOIN captures AS c ON c.merchant_id = wanted.merchant_id AND c.order_id = wanted.order_id
ORDER BY wanted.place, c.created_at, c.capture_id
