SELECT a.archived_at
FROM orders AS o
JOIN archived_orders AS a ON a.order_row = o.order_row
WHERE o.merchant_id = $1 AND o.order_id = $2
