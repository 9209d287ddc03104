-- The amount stands in the condition: whoever would change it finds no row.
WITH changed AS (
  UPDATE captures AS c
  SET state = new.state, request = new.request, provider_ref = new.provider_ref, evidence = new.evidence,
      answer_code = new.answer_code, answer = new.answer, tries = new.tries, due_at = new.due_at,
      updated_at = new.updated_at
  FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS order_id, unnest($3::text[]) AS capture_id,
               unnest($4::bigint[]) AS amount_minor, unnest($5::text[]) AS state, unnest($6::bytea[]) AS request,
               unnest($7::text[]) AS provider_ref, unnest($8::text[]) AS evidence, unnest($9::text[]) AS answer_code,
               unnest($10::bytea[]) AS answer, unnest($11::bigint[]) AS tries, unnest($12::bigint[]) AS due_at,
               unnest($13::bigint[]) AS updated_at) AS new
  WHERE c.merchant_id = new.merchant_id AND c.order_id = new.order_id AND c.capture_id = new.capture_id
    AND c.amount_minor = new.amount_minor
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'captures')
