SELECT refund_id, attempt_id, reason, amount_minor, currency, state, review, request, provider_ref, evidence,
       answer_code, answer, tries, due_at, created_at, updated_at
FROM refunds
WHERE merchant_id = $1 AND order_id = $2
