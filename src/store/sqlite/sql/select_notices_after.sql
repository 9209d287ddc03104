SELECT provider, event_id, number, refund_number, disposition, outcome, provider_ref, amount_minor, currency, answer_code,
       answer, action_url, misfit, body, tries, due_at, received_at, statement_day, fee_minor, fee_currency
FROM processed_webhook_events
WHERE (provider, event_id) > ($1, $2)
ORDER BY provider, event_id
LIMIT $3
