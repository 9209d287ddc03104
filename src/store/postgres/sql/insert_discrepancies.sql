INSERT INTO discrepancies (discrepancy_id, merchant_id, kind, provider, day, subject, number, amount_minor, currency, text, found_at,
                           resolved_at, resolved_by, note)
SELECT *
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
            $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::text[], $14::text[])
ON CONFLICT DO NOTHING
