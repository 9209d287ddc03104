-- What a refund or a fee brings back to the provider is no payment. A subquery and not EXISTS, which may become a join
-- that reads all notices.
SELECT j.merchant_id, j.order_id, j.attempt_id, j.refund_id, j.debit, j.credit, j.amount_minor, j.currency, j.at
FROM journal AS j
WHERE j.merchant_id = $1 COLLATE "POSIX" AND j.at >= $2 AND j.at < $3
  AND j.debit = 'receivable:' || $4::text AND j.credit IN ('revenue', 'surplus') AND j.refund_id = ''
  AND (SELECT true FROM processed_webhook_events AS e
       WHERE e.number = j.attempt_id AND e.statement_day IS NOT NULL LIMIT 1) IS NULL
ORDER BY j.entry
LIMIT $5
