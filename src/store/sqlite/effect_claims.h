// The delivery worker's side of the effects table: take what is due, record what came of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "store/sqlite/order_loader.h"
#include "store/sqlite/statement.h"
#include "store/store.h"

namespace payonce::sqlite {

class EffectClaims {
 public:
  // `orders` finds the refunds and must outlive this.
  EffectClaims(Connection& connection, OrderLoader& orders);

  std::vector<DueEffect> claim(MerchantId const& merchant, std::string const& name, Time now, Time lease_until,
                               std::size_t limit);
  void record(std::span<DeliveryResult const> results);
  bool resend(MerchantId const& merchant, EffectName const& effect, Time now);

 private:
  OrderLoader& orders_;
  Statement select_due_;
  Statement claim_;
  Statement record_;
  Statement resend_;
};

}  // namespace payonce::sqlite
