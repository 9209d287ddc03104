UPDATE attempt_events
SET text = 'it was otherwise'
