-- It stays known by its provider's id, and counts once for ever.
UPDATE processed_webhook_events
SET answer = x'', body = x''
WHERE provider = $1 AND event_id = $2
