INSERT INTO journal (merchant_id, order_row, attempt_id, refund_id, debit, credit, amount_minor, currency, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
