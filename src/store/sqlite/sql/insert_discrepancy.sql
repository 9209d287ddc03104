INSERT INTO discrepancies (discrepancy_id, merchant_id, kind, provider, day, subject, number, amount_minor, currency, text, found_at,
                           resolved_at, resolved_by, note)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
ON CONFLICT DO NOTHING
