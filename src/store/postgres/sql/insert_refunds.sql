INSERT INTO refunds (merchant_id, order_id, refund_id, attempt_id, idempotency_key, reason, amount_minor, currency,
                     created_at, state, review, request, provider_ref, evidence, answer_code, answer, tries, due_at,
                     updated_at, origin)
SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::bigint[]), unnest($8::text[]), unnest($9::bigint[]), unnest($10::text[]),
       unnest($11::text[]), unnest($12::bytea[]), unnest($13::text[]), unnest($14::text[]), unnest($15::text[]),
       unnest($16::bytea[]), unnest($17::bigint[]), unnest($18::bigint[]), unnest($19::bigint[]), unnest($20::text[])
