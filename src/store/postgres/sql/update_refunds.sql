-- The amount stands in the condition: whoever would change it finds no row.
WITH changed AS (
  UPDATE refunds AS r
  SET state = new.state, review = new.review, request = new.request, provider_ref = new.provider_ref,
      evidence = new.evidence, answer_code = new.answer_code, answer = new.answer, tries = new.tries,
      due_at = new.due_at, updated_at = new.updated_at
  FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS order_id, unnest($3::text[]) AS refund_id,
               unnest($4::bigint[]) AS amount_minor, unnest($5::text[]) AS state, unnest($6::text[]) AS review,
               unnest($7::bytea[]) AS request, unnest($8::text[]) AS provider_ref, unnest($9::text[]) AS evidence,
               unnest($10::text[]) AS answer_code, unnest($11::bytea[]) AS answer, unnest($12::bigint[]) AS tries,
               unnest($13::bigint[]) AS due_at, unnest($14::bigint[]) AS updated_at) AS new
  WHERE r.merchant_id = new.merchant_id AND r.order_id = new.order_id AND r.refund_id = new.refund_id
    AND r.amount_minor = new.amount_minor
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'refunds')
