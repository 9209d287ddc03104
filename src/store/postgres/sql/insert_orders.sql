INSERT INTO orders (merchant_id, order_id, amount_minor, currency, policy, state, paid_minor, held_minor, metadata,
                    created_at, updated_at, expires_at, due_at, capture)
SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::bigint[]), unnest($4::text[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::bigint[]), unnest($8::bigint[]), unnest($9::text[]), unnest($10::bigint[]),
       unnest($11::bigint[]), unnest($12::bigint[]), unnest($13::bigint[]), unnest($14::text[])
