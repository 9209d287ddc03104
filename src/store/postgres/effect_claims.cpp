#include "store/postgres/effect_claims.h"

#include "store/postgres/sql.gen.h"
#include "store/read_rows.h"

namespace payonce::postgres {

EffectClaims::EffectClaims(Connection& connection) : connection_(connection) {
  connection.add("claim_effects", sql::claim_effects);
  connection.add("record_deliveries", sql::record_deliveries);
  connection.add("resend_effect", sql::resend_effect);
}

std::vector<DueEffect> EffectClaims::claim(MerchantId const& merchant, std::string const& name, Time now,
                                           Time lease_until, std::size_t limit) {
  return read_all(connection_.query("claim_effects", merchant, name, now, lease_until, limit), [](Rows& rows) {
    DueEffect due{read_effect(rows), read_attempt(rows)};
    if (!rows.is_null()) due.refund = read_refund(rows);
    return due;
  });
}

void EffectClaims::record(std::span<DeliveryResult const> results) {
  Columns rows;
  for (DeliveryResult const& it : results)
    rows.add(it.merchant, it.attempt, it.refund, it.name, to_text(it.state), it.due_at, it.delivered_at,
             Words{it.last_error});
  if (!rows.empty()) connection_.queue("record_deliveries", rows.parameters());
}

bool EffectClaims::resend(MerchantId const& merchant, EffectName const& effect, Time now) {
  return connection_.query("resend_effect", merchant, effect.attempt, effect.refund, effect.name, now).changed() > 0;
}

}  // namespace payonce::postgres
