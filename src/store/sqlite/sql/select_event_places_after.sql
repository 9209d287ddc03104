-- CROSS JOIN keeps this order: from one event on to the next.
SELECT e.at, o.merchant_id, o.order_id, e.sequence
FROM attempt_events AS e
CROSS JOIN orders AS o
WHERE e.sequence > $1 AND o.order_row = e.order_row
ORDER BY e.sequence
LIMIT $2
