INSERT INTO discrepancies (discrepancy_id, merchant_id, kind, provider, day, subject, number, amount_minor, currency, text, found_at,
                           resolved_at, resolved_by, note)
SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::text[]), unnest($8::bigint[]), unnest($9::text[]), unnest($10::text[]),
       unnest($11::bigint[]), unnest($12::bigint[]), unnest($13::text[]), unnest($14::text[])
ON CONFLICT DO NOTHING
