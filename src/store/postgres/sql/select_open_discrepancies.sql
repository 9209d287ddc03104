SELECT discrepancy_id, merchant_id, kind, provider, day, subject, number, amount_minor, currency, text, found_at,
       resolved_at, resolved_by, note
FROM discrepancies
WHERE merchant_id = $1 COLLATE "POSIX" AND resolved_at IS NULL
ORDER BY found_at, discrepancy_id
LIMIT $2
