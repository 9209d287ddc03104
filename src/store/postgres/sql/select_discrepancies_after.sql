SELECT discrepancy_id, merchant_id, kind, provider, day, subject, number, amount_minor, currency, text, found_at,
       resolved_at, resolved_by, note
FROM discrepancies
WHERE (merchant_id, discrepancy_id) > ($1, $2)
ORDER BY merchant_id, discrepancy_id
LIMIT $3
