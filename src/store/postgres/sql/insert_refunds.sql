INSERT INTO refunds (merchant_id, order_id, refund_id, attempt_id, reason, amount_minor, currency, created_at, state,
                     review, request, provider_ref, evidence, answer_code, answer, tries, due_at, updated_at)
SELECT *
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::bigint[],
            $9::text[], $10::text[], $11::bytea[], $12::text[], $13::text[], $14::text[], $15::bytea[], $16::bigint[],
            $17::bigint[], $18::bigint[])
