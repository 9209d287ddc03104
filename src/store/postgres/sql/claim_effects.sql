WITH due AS MATERIALIZED (
  SELECT merchant_id, attempt_id, refund_id, name, due_at
  FROM effects
  WHERE state = 'PENDING' AND merchant_id = $1 AND name = $2 AND due_at <= $3
  ORDER BY due_at
  LIMIT $5
  FOR NO KEY UPDATE SKIP LOCKED
), claimed AS (
  UPDATE effects AS e
  SET due_at = $4, tries = e.tries + 1
  FROM due
  WHERE e.merchant_id = due.merchant_id AND e.attempt_id = due.attempt_id AND e.refund_id = due.refund_id
    AND e.name = due.name
  RETURNING e.*, due.due_at AS was_due_at
)
SELECT e.merchant_id, e.order_id, e.attempt_id, e.refund_id, e.name, e.state, e.tries, e.due_at, e.created_at,
       e.delivered_at, e.last_error,
       a.attempt_id, a.idempotency_key, a.fingerprint, a.provider, a.method, a.amount_minor, a.currency, a.metadata,
       a.state, a.surplus, a.exposed, a.cancel_requested, a.review, a.request, a.provider_ref, a.action_url, a.evidence,
       a.answer_code, a.answer, a.tries, a.due_at, a.first_sent_at, a.expires_at, a.created_at, a.updated_at,
       a.settled_at, a.part, a.disputes,
       nullif(a.captured_minor, a.amount_minor) AS captured_minor,
       r.refund_id, r.attempt_id, r.idempotency_key, r.reason, r.amount_minor, r.currency, r.state, r.review, r.request,
       r.provider_ref, r.evidence, r.answer_code, r.answer, r.tries, r.due_at, r.created_at, r.updated_at, r.origin
FROM claimed AS e
JOIN payment_attempts AS a
  ON a.merchant_id = e.merchant_id AND a.order_id = e.order_id AND a.attempt_id = e.attempt_id
LEFT JOIN refunds AS r
  ON r.merchant_id = e.merchant_id AND r.order_id = e.order_id AND r.refund_id = e.refund_id
ORDER BY e.was_due_at, e.attempt_id, e.refund_id
