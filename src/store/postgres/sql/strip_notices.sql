-- They stay known by their provider's id, and count once for ever.
UPDATE processed_webhook_events AS it
SET answer = '', body = ''
FROM unnest($1::text[], $2::text[]) AS notice (provider, event_id)
WHERE it.provider = notice.provider AND it.event_id = notice.event_id
