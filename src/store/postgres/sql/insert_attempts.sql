INSERT INTO payment_attempts (merchant_id, order_id, attempt_id, policy, idempotency_key, fingerprint, provider, method,
                              amount_minor, currency, metadata, created_at, state, surplus, exposed, cancel_requested,
                              review, request, provider_ref, action_url, evidence, answer_code, answer, tries, due_at,
                              first_sent_at, expires_at, updated_at, settled_at, part, disputes, captured_minor)
SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::text[]), unnest($8::text[]), unnest($9::bigint[]), unnest($10::text[]),
       unnest($11::text[]), unnest($12::bigint[]), unnest($13::text[]), unnest($14::boolean[]), unnest($15::boolean[]),
       unnest($16::boolean[]), unnest($17::text[]), unnest($18::bytea[]), unnest($19::text[]), unnest($20::text[]),
       unnest($21::text[]), unnest($22::text[]), unnest($23::bytea[]), unnest($24::bigint[]), unnest($25::bigint[]),
       unnest($26::bigint[]), unnest($27::bigint[]), unnest($28::bigint[]), unnest($29::bigint[]), unnest($30::text[]),
       unnest($31::bigint[]), unnest($32::bigint[])
