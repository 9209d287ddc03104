SELECT order_row
FROM orders
WHERE merchant_id = $1 AND order_id = $2
