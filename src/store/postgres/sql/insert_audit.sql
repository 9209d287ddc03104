INSERT INTO audit_log (merchant_id, actor, action, detail, at)
VALUES ($1, $2, $3, $4, $5)
