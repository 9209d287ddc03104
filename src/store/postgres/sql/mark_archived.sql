INSERT INTO archived_orders (merchant_id, order_id, archived_at)
SELECT *
FROM unnest($1::text[], $2::text[], $3::bigint[])
ON CONFLICT (merchant_id, order_id) DO UPDATE SET archived_at = EXCLUDED.archived_at
