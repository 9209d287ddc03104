INSERT INTO attempt_events (sequence, merchant_id, order_id, attempt_id, refund_id, type, from_state, to_state, evidence,
                            actor, code, text, at)
SELECT unnest($1::bigint[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), unnest($10::text[]),
       unnest($11::text[]), unnest($12::text[]), unnest($13::bigint[])
