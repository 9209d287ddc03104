INSERT INTO processed_webhook_events (provider, event_id, number, refund_number, disposition, outcome, provider_ref,
                                      amount_minor, currency, answer_code, answer, action_url, misfit, body, tries,
                                      due_at, received_at, statement_day, fee_minor, fee_currency)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
        $20)
