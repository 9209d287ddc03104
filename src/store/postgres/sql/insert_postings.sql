INSERT INTO journal (merchant_id, order_id, attempt_id, refund_id, debit, credit, amount_minor, currency, at)
SELECT *
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[],
            $9::bigint[])
