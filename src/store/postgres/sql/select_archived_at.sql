SELECT archived_at
FROM archived_orders
WHERE merchant_id = $1 AND order_id = $2
