-- Money that came is never taken out of the books again: whoever would do so finds no row.
UPDATE orders
SET amount_minor = $2, currency = $3, policy = $4, state = $5, paid_minor = $6, held_minor = $7, metadata = $8,
    updated_at = $9, expires_at = $10, due_at = $11
WHERE order_row = $1
  AND paid_minor <= $6 AND (state <> 'PAID' OR $5 = 'PAID')
