-- The amount stands in the condition: whoever would change it finds no row.
WITH changed AS (
  UPDATE captures AS c
  SET state = new.state, request = new.request, provider_ref = new.provider_ref, evidence = new.evidence,
      answer_code = new.answer_code, answer = new.answer, tries = new.tries, due_at = new.due_at,
      updated_at = new.updated_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bytea[], $7::text[], $8::text[],
              $9::text[], $10::bytea[], $11::bigint[], $12::bigint[], $13::bigint[])
    AS new (merchant_id, order_id, capture_id, amount_minor, state, request, provider_ref, evidence, answer_code, answer,
            tries, due_at, updated_at)
  WHERE c.merchant_id = new.merchant_id AND c.order_id = new.order_id AND c.capture_id = new.capture_id
    AND c.amount_minor = new.amount_minor
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'captures')
