SELECT o.order_id, a.attempt_id, '' AS refund_id, '' AS capture_id
FROM payment_attempts AS a
JOIN orders AS o ON o.order_row = a.order_row
WHERE a.merchant_id = $1 AND a.idempotency_key = $2
UNION ALL
SELECT o.order_id, '' AS attempt_id, r.refund_id, '' AS capture_id
FROM refunds AS r
JOIN orders AS o ON o.order_row = r.order_row
WHERE r.merchant_id = $1 AND r.idempotency_key = $2
UNION ALL
SELECT o.order_id, '' AS attempt_id, '' AS refund_id, c.capture_id
FROM captures AS c
JOIN orders AS o ON o.order_row = c.order_row
WHERE c.merchant_id = $1 AND c.idempotency_key = $2
LIMIT 1
