-- A slow worker whose lease ran out may tell late that it did deliver, but can't undo what another one achieved.
UPDATE effects AS e
SET state = new.state, due_at = new.due_at, delivered_at = new.delivered_at, last_error = new.last_error
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::text[])
  AS new (merchant_id, attempt_id, refund_id, name, state, due_at, delivered_at, last_error)
WHERE e.merchant_id = new.merchant_id AND e.attempt_id = new.attempt_id AND e.refund_id = new.refund_id
  AND e.name = new.name
  AND (e.state = 'PENDING' OR (e.state = 'DEAD' AND new.state = 'DELIVERED'))
