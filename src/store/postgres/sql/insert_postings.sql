INSERT INTO journal (merchant_id, order_id, attempt_id, refund_id, debit, credit, amount_minor, currency, at)
SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::bigint[]), unnest($8::text[]), unnest($9::bigint[])
