SELECT merchant_id, order_id, attempt_id, refund_id, debit, credit, amount_minor, currency, at
FROM journal
WHERE merchant_id = $1 AND order_id = $2
ORDER BY entry
