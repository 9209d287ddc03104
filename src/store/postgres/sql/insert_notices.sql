INSERT INTO processed_webhook_events (provider, event_id, number, refund_number, disposition, outcome, provider_ref,
                                      amount_minor, currency, answer_code, answer, action_url, misfit, body, tries,
                                      due_at, received_at, statement_day, fee_minor, fee_currency)
SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::text[]), unnest($8::bigint[]), unnest($9::text[]), unnest($10::text[]),
       unnest($11::bytea[]), unnest($12::text[]), unnest($13::text[]), unnest($14::bytea[]), unnest($15::bigint[]),
       unnest($16::bigint[]), unnest($17::bigint[]), unnest($18::text[]), unnest($19::bigint[]), unnest($20::text[])
