INSERT INTO captures (merchant_id, order_id, capture_id, attempt_id, idempotency_key, amount_minor, currency, is_final,
                      created_at, state, request, provider_ref, evidence, answer_code, answer, tries, due_at, updated_at)
SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
       unnest($6::bigint[]), unnest($7::text[]), unnest($8::boolean[]), unnest($9::bigint[]), unnest($10::text[]),
       unnest($11::bytea[]), unnest($12::text[]), unnest($13::text[]), unnest($14::text[]), unnest($15::bytea[]),
       unnest($16::bigint[]), unnest($17::bigint[]), unnest($18::bigint[])
