-- Open is said by the other column, so that the index of open ones does not offer itself.
UPDATE discrepancies
SET resolved_by = $3, note = $4, resolved_at = $5
WHERE merchant_id = $1 AND discrepancy_id = $2 AND resolved_by = ''
