INSERT INTO processed_webhook_events (provider, event_id, number, refund_number, disposition, outcome, provider_ref,
                                      amount_minor, currency, answer_code, answer, action_url, misfit, body, tries,
                                      due_at, received_at, statement_day, fee_minor, fee_currency)
SELECT *
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
            $9::text[], $10::text[], $11::bytea[], $12::text[], $13::text[], $14::bytea[], $15::bigint[], $16::bigint[],
            $17::bigint[], $18::text[], $19::bigint[], $20::text[])
