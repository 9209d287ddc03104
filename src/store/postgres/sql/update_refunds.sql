-- The amount stands in the condition: whoever would change it finds no row.
WITH changed AS (
  UPDATE refunds AS r
  SET state = new.state, review = new.review, request = new.request, provider_ref = new.provider_ref,
      evidence = new.evidence, answer_code = new.answer_code, answer = new.answer, tries = new.tries,
      due_at = new.due_at, updated_at = new.updated_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::bytea[], $8::text[],
              $9::text[], $10::text[], $11::bytea[], $12::bigint[], $13::bigint[], $14::bigint[])
    AS new (merchant_id, order_id, refund_id, amount_minor, state, review, request, provider_ref, evidence, answer_code,
            answer, tries, due_at, updated_at)
  WHERE r.merchant_id = new.merchant_id AND r.order_id = new.order_id AND r.refund_id = new.refund_id
    AND r.amount_minor = new.amount_minor
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'refunds')
