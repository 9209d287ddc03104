-- Until the end of the transaction others may read and not write; of two who want this, one waits.
LOCK TABLE orders, payment_attempts, refunds, captures, attempt_events, processed_webhook_events, effects, journal,
           api_keys, audit_log, archived_orders
IN SHARE ROW EXCLUSIVE MODE
