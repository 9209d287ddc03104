INSERT INTO effects (merchant_id, attempt_id, refund_id, name, order_id, state, tries, due_at, created_at, delivered_at,
                     last_error)
SELECT *
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
            $9::bigint[], $10::bigint[], $11::text[])
