INSERT INTO orders (merchant_id, order_id, amount_minor, currency, policy, state, paid_minor, held_minor, metadata,
                    created_at, updated_at, expires_at, due_at, capture)
SELECT *
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
            $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
            $14::text[])
