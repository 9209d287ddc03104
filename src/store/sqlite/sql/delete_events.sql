-- The last event of all stays, so that no number is given twice.
DELETE FROM attempt_events
WHERE order_row = $1 AND sequence < (SELECT max(sequence) FROM attempt_events)
