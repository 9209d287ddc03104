SELECT e.sequence, o.merchant_id, o.order_id, e.attempt_id, e.refund_id, e.type, e.from_state, e.to_state, e.evidence,
       e.actor, e.code, e.text, e.at
FROM orders AS o
CROSS JOIN attempt_events AS e
WHERE o.merchant_id = $1 AND o.order_id = $2 AND e.order_row = o.order_row
ORDER BY e.sequence
