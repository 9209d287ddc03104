SELECT max(sequence)
FROM attempt_events
WHERE order_row = $1
