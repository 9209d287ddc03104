#include "store/sqlite/effect_claims.h"

#include "store/sqlite/sql.gen.h"

namespace payonce::sqlite {

EffectClaims::EffectClaims(Connection& connection, OrderLoader& orders)
    : orders_(orders),
      select_due_(connection, "select_due_effects", sql::select_due_effects),
      claim_(connection, "claim_effect", sql::claim_effect),
      record_(connection, "record_delivery", sql::record_delivery),
      resend_(connection, "resend_effect", sql::resend_effect) {}

std::vector<DueEffect> EffectClaims::claim(MerchantId const& merchant, std::string const& name, Time now,
                                           Time lease_until, std::size_t limit) {
  std::vector<EffectName> due;
  {
    Rows rows = select_due_.query(merchant, name, now, limit);
    while (rows.next()) due.push_back({AttemptId{rows.text_view()}, RefundId{rows.text_view()}, name});
  }
  std::vector<DueEffect> taken;
  taken.reserve(due.size());
  for (EffectName const& it : due) taken.push_back(take(merchant, it, lease_until));
  return taken;
}

void EffectClaims::record(std::span<DeliveryResult const> results) {
  for (DeliveryResult const& it : results)
    record_.run(it.merchant, it.attempt, it.refund, it.name, to_text(it.state), it.due_at, it.delivered_at,
                it.last_error);
}

bool EffectClaims::resend(MerchantId const& merchant, EffectName const& effect, Time now) {
  return resend_.run(merchant, effect.attempt, effect.refund, effect.name, now) > 0;
}

DueEffect EffectClaims::take(MerchantId const& merchant, EffectName const& due, Time lease_until) {
  auto found = orders_.find(due.attempt);
  if (!found)
    throw StoreError(StoreError::Kind::refused, "an effect names a payment that is not there: " + due.attempt.value);
  std::optional<Refund> refund;
  if (!due.refund.empty())
    if (auto row = orders_.find(due.refund)) refund = std::move(row->refund);
  Effect effect;
  effect.key = std::move(found->key);
  effect.attempt = due.attempt;
  effect.refund = due.refund;
  effect.name = due.name;
  effect.due_at = lease_until;
  Rows rows = claim_.query(merchant, due.attempt, due.refund, due.name, lease_until);
  while (rows.next()) {
    effect.tries = int(rows.integer());
    effect.created_at = rows.time();
    effect.last_error = rows.text();
  }
  return DueEffect{std::move(effect), std::move(found->attempt), std::move(refund)};
}

}  // namespace payonce::sqlite
