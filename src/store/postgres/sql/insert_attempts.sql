INSERT INTO payment_attempts (merchant_id, order_id, attempt_id, policy, idempotency_key, fingerprint, provider, method,
                              amount_minor, currency, metadata, created_at, state, captured_minor, surplus, exposed,
                              cancel_requested, review, request, provider_ref, action_url, evidence, answer_code, answer,
                              tries, due_at, first_sent_at, expires_at, updated_at, settled_at, part, disputes)
SELECT merchant_id, order_id, attempt_id, policy, idempotency_key, fingerprint, provider, method, amount_minor, currency,
       metadata, created_at, state, captured_minor, surplus, exposed,
       cancel_requested, review, request, provider_ref, action_url, evidence, answer_code, answer, tries, due_at,
       first_sent_at, expires_at, updated_at, settled_at, part, disputes
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
            $9::bigint[], $10::text[], $11::text[], $12::bigint[], $13::text[], $14::boolean[], $15::boolean[],
            $16::boolean[], $17::text[], $18::bytea[], $19::text[], $20::text[], $21::text[], $22::text[], $23::bytea[],
            $24::bigint[], $25::bigint[], $26::bigint[], $27::bigint[], $28::bigint[], $29::bigint[],
            $30::text[], $31::bigint[], $32::bigint[])
  AS new (merchant_id, order_id, attempt_id, policy, idempotency_key, fingerprint, provider, method, amount_minor,
          currency, metadata, created_at, state, surplus, exposed, cancel_requested, review, request, provider_ref,
          action_url, evidence, answer_code, answer, tries, due_at, first_sent_at, expires_at, updated_at, settled_at,
          part, disputes, captured_minor)
