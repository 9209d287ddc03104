-- Money that came is never taken out of the books again: whoever would do so finds no row.
WITH changed AS (
  UPDATE orders AS o
  SET amount_minor = new.amount_minor, currency = new.currency, policy = new.policy, state = new.state,
      paid_minor = new.paid_minor, held_minor = new.held_minor, metadata = new.metadata, updated_at = new.updated_at,
      expires_at = new.expires_at, due_at = new.due_at
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
              $9::text[], $10::bigint[], $11::bigint[], $12::bigint[])
    AS new (merchant_id, order_id, amount_minor, currency, policy, state, paid_minor, held_minor, metadata, updated_at,
            expires_at, due_at)
  WHERE o.merchant_id = new.merchant_id AND o.order_id = new.order_id
    AND o.paid_minor <= new.paid_minor AND (o.state <> 'PAID' OR new.state = 'PAID')
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'orders')
