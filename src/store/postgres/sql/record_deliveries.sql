-- A slow worker whose lease ran out may tell late that it did deliver, but can't undo what another one achieved.
UPDATE effects AS e
SET state = new.state, due_at = new.due_at, delivered_at = new.delivered_at, last_error = new.last_error
FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS attempt_id, unnest($3::text[]) AS refund_id,
             unnest($4::text[]) AS name, unnest($5::text[]) AS state, unnest($6::bigint[]) AS due_at,
             unnest($7::bigint[]) AS delivered_at, unnest($8::text[]) AS last_error) AS new
WHERE e.merchant_id = new.merchant_id AND e.attempt_id = new.attempt_id AND e.refund_id = new.refund_id
  AND e.name = new.name
  AND (e.state = 'PENDING' OR (e.state = 'DEAD' AND new.state = 'DELIVERED'))
