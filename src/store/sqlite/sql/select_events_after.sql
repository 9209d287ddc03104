-- CROSS JOIN keeps this order: the feed is read from the cursor on.
SELECT e.sequence, o.merchant_id, o.order_id, e.attempt_id, e.refund_id, e.type, e.from_state, e.to_state, e.evidence,
       e.actor, e.code, e.text, e.at
FROM attempt_events AS e
CROSS JOIN orders AS o
WHERE e.merchant_id = $1 AND e.sequence > $2 AND o.order_row = e.order_row
ORDER BY e.sequence
LIMIT $3
