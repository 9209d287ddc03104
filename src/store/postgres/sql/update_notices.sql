-- What the provider said stays as it came; only what we made of it changes.
WITH changed AS (
  UPDATE processed_webhook_events AS e
  SET disposition = new.disposition, tries = new.tries, due_at = new.due_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
    AS new (provider, event_id, disposition, tries, due_at)
  WHERE e.provider = new.provider AND e.event_id = new.event_id
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'notices')
