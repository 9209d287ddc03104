SELECT o.merchant_id, o.order_id, j.attempt_id, j.refund_id, j.debit, j.credit, j.amount_minor, j.currency, j.at
FROM orders AS o
JOIN journal AS j ON j.order_row = o.order_row
WHERE o.merchant_id = $1 AND o.order_id = $2
ORDER BY j.entry
