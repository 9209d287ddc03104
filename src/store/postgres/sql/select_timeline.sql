SELECT sequence, merchant_id, order_id, attempt_id, refund_id, type, from_state, to_state, evidence, actor, code, text, at
FROM attempt_events
WHERE merchant_id = $1 COLLATE "POSIX" AND order_id = $2
ORDER BY sequence
