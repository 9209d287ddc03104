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
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::boolean[], $7::boolean[], $8::boolean[],
              $9::text[], $10::bytea[], $11::text[], $12::text[], $13::text[], $14::text[], $15::bytea[], $16::bigint[],
              $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[],
              $22::bigint[], $23::bigint[])
    AS new (merchant_id, order_id, attempt_id, amount_minor, state, surplus, exposed, cancel_requested, review, request,
            provider_ref, action_url, evidence, answer_code, answer, tries, due_at, first_sent_at, expires_at,
            updated_at, settled_at, disputes, captured_minor)
  WHERE a.merchant_id = new.merchant_id AND a.order_id = new.order_id AND a.attempt_id = new.attempt_id
    AND a.amount_minor = new.amount_minor
    AND (NOT a.exposed OR a.request = new.request)
    AND (a.captured_minor IS NULL
         OR (a.surplus = new.surplus AND a.captured_minor <= coalesce(new.captured_minor, a.captured_minor)))
  RETURNING 1
)
SELECT refuse_unless_all((SELECT count(*) FROM changed), cardinality($1::text[]), 'payments')
