-- One row for each effect that was done. Insert it in the transaction that does the work:
--   INSERT IGNORE INTO payonce_effects (id, effect, order_id) VALUES (?, ?, ?)
-- and do the work only if one row was affected.
CREATE TABLE payonce_effects (
  id         varchar(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,  -- the header webhook-id
  effect     varchar(32) NOT NULL,
  order_id   varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  done_at    timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)
) ENGINE = InnoDB;
