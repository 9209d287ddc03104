SELECT sequence, merchant_id, actor, action, detail, at
FROM audit_log
WHERE (merchant_id, sequence) > ($1, $2)
ORDER BY merchant_id, sequence
LIMIT $3
