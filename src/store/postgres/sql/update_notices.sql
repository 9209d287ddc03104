-- What the provider said stays as it came; only what we made of it changes.
WITH changed AS (
  UPDATE processed_webhook_events AS e
  SET disposition = new.disposition, tries = new.tries, due_at = new.due_at
  FROM (SELECT unnest($1::text[]) AS provider, unnest($2::text[]) AS event_id, unnest($3::text[]) AS disposition,
               unnest($4::bigint[]) AS tries, unnest($5::bigint[]) AS due_at) AS new
  WHERE e.provider = new.provider AND e.event_id = new.event_id
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'notices')
