-- A sequence is the transaction's id times 2^20, plus a number within the transaction: the feed (select_events_after)
-- shows only what lies below the ids of all running transactions, so nothing can turn up behind a reader's back.
--
-- A transaction may get its id by locking one order and then wait for another, whose holder has a later id. What it
-- tells about that order must stand behind what the holder told: it takes the next free stretch of 2^12 numbers there.
-- If another transaction does the same, one of them meets the primary key and is run again. That is looked for order by
-- order only if a later transaction has told anything about one of these merchants.
--
-- An event of an order that is not there gets no order_id, and is refused.
WITH own AS MATERIALIZED (
  SELECT pg_current_xact_id()::text::bigint * 1048576 + feed.sequence_offset + $1::bigint AS start
  FROM event_feed AS feed
), told AS MATERIALIZED (
  SELECT max(last.sequence) AS last
  FROM (SELECT DISTINCT merchant_id, order_id
        FROM unnest($2::text[], $3::text[]) AS new (merchant_id, order_id)) AS it
  CROSS JOIN LATERAL (SELECT e.sequence FROM attempt_events AS e
                      WHERE e.merchant_id = it.merchant_id COLLATE "POSIX" AND e.order_id = it.order_id
                      ORDER BY e.sequence DESC
                      LIMIT 1) AS last
  WHERE (SELECT true
         FROM (SELECT DISTINCT merchant_id FROM unnest($2::text[]) AS new (merchant_id)) AS it
         CROSS JOIN LATERAL (SELECT 1 FROM attempt_events AS e
                             WHERE e.merchant_id = it.merchant_id AND e.sequence > (SELECT start FROM own)
                             LIMIT 1) AS later
         LIMIT 1)
)
INSERT INTO attempt_events (merchant_id, sequence, order_id, attempt_id, refund_id, type, from_state, to_state, evidence,
                            actor, code, text, at)
SELECT new.merchant_id,
       CASE WHEN told.last > own.start THEN (told.last / 4096 + 1) * 4096 ELSE own.start END + new.place,
       o.order_id, new.attempt_id, new.refund_id, new.type, new.from_state, new.to_state, new.evidence, new.actor,
       new.code, new.text, new.at
FROM own CROSS JOIN told
CROSS JOIN (SELECT unnest($2::text[]) AS merchant_id, unnest($3::text[]) AS order_id, unnest($4::text[]) AS attempt_id,
                   unnest($5::text[]) AS refund_id, unnest($6::text[]) AS type, unnest($7::text[]) AS from_state,
                   unnest($8::text[]) AS to_state, unnest($9::text[]) AS evidence, unnest($10::text[]) AS actor,
                   unnest($11::text[]) AS code, unnest($12::text[]) AS text, unnest($13::bigint[]) AS at,
                   generate_series(1, cardinality($2::text[])) AS place) AS new
LEFT JOIN orders AS o ON o.merchant_id = new.merchant_id AND o.order_id = new.order_id
