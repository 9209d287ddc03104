INSERT INTO archived_orders (order_row, archived_at)
VALUES ($1, $2)
ON CONFLICT (order_row) DO UPDATE SET archived_at = excluded.archived_at
