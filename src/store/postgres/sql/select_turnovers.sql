SELECT debit, credit, sum(amount_minor)::bigint, currency
FROM journal
WHERE merchant_id = $1 COLLATE "POSIX" AND at >= $2 AND at < $3
GROUP BY currency, debit, credit
ORDER BY currency, debit, credit
