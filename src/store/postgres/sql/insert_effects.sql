INSERT INTO effects (merchant_id, attempt_id, refund_id, name, order_id, state, tries, due_at, created_at, delivered_at,
                     last_error)
SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::bigint[]), unnest($8::bigint[]), unnest($9::bigint[]), unnest($10::bigint[]),
       unnest($11::text[])
