-- What the provider said stays as it came; only what we made of it changes.
UPDATE processed_webhook_events
SET disposition = $3, tries = $4, due_at = $5
WHERE provider = $1 AND event_id = $2
