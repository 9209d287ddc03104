-- The conditions repeat rules: the amount of an attempt, a request that may have been sent, and what became of money
-- that came do not change. Whoever would change them finds no row.
WITH changed AS (
  UPDATE payment_attempts AS a
  SET state = new.state,
      captured_minor = coalesce(new.captured_minor, a.captured_minor),
      surplus = new.surplus, exposed = new.exposed, cancel_requested = new.cancel_requested, review = new.review,
      request = new.request, provider_ref = new.provider_ref, action_url = new.action_url, evidence = new.evidence,
      answer_code = new.answer_code, answer = new.answer, tries = new.tries, due_at = new.due_at,
      first_sent_at = new.first_sent_at, expires_at = new.expires_at, updated_at = new.updated_at,
      settled_at = new.settled_at, disputes = new.disputes
  FROM (SELECT unnest($1::text[]) AS merchant_id, unnest($2::text[]) AS order_id, unnest($3::text[]) AS attempt_id,
               unnest($4::bigint[]) AS amount_minor, unnest($5::text[]) AS state, unnest($6::boolean[]) AS surplus,
               unnest($7::boolean[]) AS exposed, unnest($8::boolean[]) AS cancel_requested,
               unnest($9::text[]) AS review, unnest($10::bytea[]) AS request, unnest($11::text[]) AS provider_ref,
               unnest($12::text[]) AS action_url, unnest($13::text[]) AS evidence, unnest($14::text[]) AS answer_code,
               unnest($15::bytea[]) AS answer, unnest($16::bigint[]) AS tries, unnest($17::bigint[]) AS due_at,
               unnest($18::bigint[]) AS first_sent_at, unnest($19::bigint[]) AS expires_at,
               unnest($20::bigint[]) AS updated_at, unnest($21::bigint[]) AS settled_at,
               unnest($22::bigint[]) AS disputes, unnest($23::bigint[]) AS captured_minor) AS new
  WHERE a.merchant_id = new.merchant_id AND a.order_id = new.order_id AND a.attempt_id = new.attempt_id
    AND a.amount_minor = new.amount_minor
    AND (NOT a.exposed OR a.request = new.request)
    AND (a.captured_minor IS NULL
         OR (a.surplus = new.surplus AND a.captured_minor <= coalesce(new.captured_minor, a.captured_minor)))
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'payments')
