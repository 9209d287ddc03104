INSERT INTO refunds (merchant_id, order_id, refund_id, attempt_id, idempotency_key, reason, amount_minor, currency,
                     created_at, state, review, request, provider_ref, evidence, answer_code, answer, tries, due_at,
                     updated_at, origin)
SELECT *
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[],
            $9::bigint[], $10::text[], $11::text[], $12::bytea[], $13::text[], $14::text[], $15::text[], $16::bytea[],
            $17::bigint[], $18::bigint[], $19::bigint[], $20::text[])
