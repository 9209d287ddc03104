SELECT o.merchant_id, o.order_id, r.refund_id, r.due_at
FROM refunds AS r
JOIN orders AS o ON o.order_row = r.order_row
WHERE r.due_at <= $1
ORDER BY r.due_at
LIMIT $2
