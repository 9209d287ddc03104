SELECT wanted.place, e.provider, e.event_id, e.number, e.refund_number, e.disposition, e.outcome, e.provider_ref,
       e.amount_minor, e.currency, e.answer_code, e.answer, e.action_url, e.misfit, e.body, e.tries, e.due_at,
       e.received_at, e.statement_day, e.fee_minor, e.fee_currency
FROM (SELECT unnest($1::text[]) AS provider, unnest($2::text[]) AS event_id,
             generate_series(1, cardinality($1::text[])) AS place) AS wanted
JOIN processed_webhook_events AS e ON e.provider = wanted.provider AND e.event_id = wanted.event_id
