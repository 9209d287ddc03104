// The delivery worker's side of the effects table: take what is due, record what came of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "store/postgres/connection.h"
#include "store/store.h"

namespace payonce::postgres {

class EffectClaims {
 public:
  // The connection must outlive this.
  explicit EffectClaims(Connection& connection);

  std::vector<DueEffect> claim(MerchantId const& merchant, std::string const& name, Time now, Time lease_until,
                               std::size_t limit);
  void record(std::span<DeliveryResult const> results);
  bool resend(MerchantId const& merchant, EffectName const& effect, Time now);

 private:
  Connection& connection_;
};

}  // namespace payonce::postgres
