-- An answer that is all that speaks for a state stays.
UPDATE refunds
SET request = x'', answer = CASE WHEN answer_code = '' THEN answer ELSE x'' END
WHERE order_row = $1
