INSERT INTO attempt_events (sequence, merchant_id, order_id, attempt_id, refund_id, type, from_state, to_state, evidence,
                            actor, code, text, at)
SELECT *
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[], $11::text[], $12::text[], $13::bigint[])
