SELECT merchant_id, order_id, refund_id, due_at
FROM refunds
WHERE due_at <= $1
ORDER BY due_at
LIMIT $2
