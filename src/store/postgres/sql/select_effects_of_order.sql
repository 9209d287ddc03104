-- OFFSET 0 keeps this order: on empty tables the planner would otherwise read all effects of the merchant first.
SELECT e.merchant_id, e.order_id, e.attempt_id, e.refund_id, e.name, e.state, e.tries, e.due_at, e.created_at,
       e.delivered_at, e.last_error
FROM payment_attempts AS a
CROSS JOIN LATERAL (SELECT * FROM effects AS all_effects
                    WHERE all_effects.merchant_id = a.merchant_id AND all_effects.attempt_id = a.attempt_id
                    OFFSET 0) AS e
WHERE a.merchant_id = $1 AND a.order_id = $2
ORDER BY e.attempt_id, e.refund_id, e.name
