#include "store/sqlite/effect_claims.h"

#include "store/read_rows.h"
#include "store/sqlite/sql.gen.h"

namespace payonce::sqlite {

namespace {

DueEffect read_due(Rows& rows, std::string const& name, Time lease_until) {
  Effect effect;
  effect.name = name;
  effect.refund = RefundId{rows.text_view()};
  effect.tries = int(rows.integer()) + 1;
  effect.due_at = lease_until;
  effect.created_at = rows.time();
  effect.last_error = rows.text();
  effect.key = read_order_key(rows);
  DueEffect due{std::move(effect), read_attempt(rows)};
  due.effect.attempt = due.attempt.id;
  return due;
}

}  // namespace

EffectClaims::EffectClaims(Connection& connection, OrderLoader& orders)
    : orders_(orders),
      select_due_(connection, "select_due_effects", sql::select_due_effects),
      claim_(connection, "claim_effect", sql::claim_effect),
      record_(connection, "record_delivery", sql::record_delivery),
      resend_(connection, "resend_effect", sql::resend_effect) {}

std::vector<DueEffect> EffectClaims::claim(MerchantId const& merchant, std::string const& name, Time now,
                                           Time lease_until, std::size_t limit) {
  std::vector<DueEffect> taken;
  std::vector<std::int64_t> attempt_rows;
  {
    Rows rows = select_due_.query(merchant, name, now, limit);
    while (rows.next()) {
      attempt_rows.push_back(rows.integer());
      taken.push_back(read_due(rows, name, lease_until));
    }
  }
  // Only now, since claiming moves what the rows above are read from.
  for (std::size_t i = 0; i < taken.size(); ++i) {
    RefundId const& refund = taken[i].effect.refund;
    claim_.run(attempt_rows[i], refund, name, lease_until);
    if (refund.empty()) continue;
    if (auto found = orders_.find(refund)) taken[i].refund = std::move(found->refund);
  }
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

}  // namespace payonce::sqlite
