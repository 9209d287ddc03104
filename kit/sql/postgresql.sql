-- One row for each effect that was done. Insert it in the transaction that does the work:
--   INSERT INTO payonce_effects (id, effect, order_id) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING
-- and do the work only if a row was inserted.
CREATE TABLE payonce_effects (
  id         text COLLATE "C" PRIMARY KEY,  -- the header webhook-id
  effect     text NOT NULL,
  order_id   text NOT NULL,
  done_at    timestamptz NOT NULL DEFAULT now()
);
