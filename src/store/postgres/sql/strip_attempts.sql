-- An answer that is all that speaks for a state stays.
UPDATE payment_attempts AS it
SET request = '', answer = CASE WHEN it.answer_code = '' THEN it.answer ELSE '' END
FROM unnest($1::text[], $2::text[]) AS o (merchant_id, order_id)
WHERE it.merchant_id = o.merchant_id AND it.order_id = o.order_id
