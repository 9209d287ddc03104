-- Money that came is never taken out of the books again: whoever would do so finds no row.
UPDATE orders
SET amount_minor = $3, currency = $4, policy = $5, state = $6, paid_minor = $7, held_minor = $8, metadata = $9,
    updated_at = $10
WHERE merchant_id = $1 AND order_id = $2
  AND paid_minor <= $7 AND (state <> 'PAID' OR $6 = 'PAID')
