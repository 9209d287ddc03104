INSERT INTO captures (merchant_id, order_id, capture_id, attempt_id, idempotency_key, amount_minor, currency, is_final,
                      created_at, state, request, provider_ref, evidence, answer_code, answer, tries, due_at, updated_at)
SELECT *
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::boolean[],
            $9::bigint[], $10::text[], $11::bytea[], $12::text[], $13::text[], $14::text[], $15::bytea[], $16::bigint[],
            $17::bigint[], $18::bigint[])
