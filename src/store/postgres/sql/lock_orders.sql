-- Locked in the order of the question: sorting stands below the locking in the plan, whatever joins stand below that.
SELECT wanted.place, o.merchant_id, o.order_id, o.amount_minor, o.currency, o.policy, o.state, o.paid_minor,
       o.held_minor, o.metadata, o.created_at, o.updated_at, o.expires_at, o.due_at, o.capture
FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS order_id,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
JOIN orders AS o ON o.merchant_id = wanted.merchant_id AND o.order_id = wanted.order_id
ORDER BY wanted.place
FOR NO KEY UPDATE OF o
