-- Money that came is never taken out of the books again: whoever would do so finds no row.
WITH changed AS (
  UPDATE orders AS o
  SET amount_minor = new.amount_minor, currency = new.currency, policy = new.policy, state = new.state,
      paid_minor = new.paid_minor, held_minor = new.held_minor, metadata = new.metadata, updated_at = new.updated_at,
      expires_at = new.expires_at, due_at = new.due_at
  FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS order_id, unnest($3::bigint[]) AS amount_minor,
               unnest($4::text[]) AS currency, unnest($5::text[]) AS policy, unnest($6::text[]) AS state,
               unnest($7::bigint[]) AS paid_minor, unnest($8::bigint[]) AS held_minor, unnest($9::text[]) AS metadata,
               unnest($10::bigint[]) AS updated_at, unnest($11::bigint[]) AS expires_at,
               unnest($12::bigint[]) AS due_at) AS new
  WHERE o.merchant_id = new.merchant_id AND o.order_id = new.order_id
    AND o.paid_minor <= new.paid_minor AND (o.state <> 'PAID' OR new.state = 'PAID')
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'orders')
