// The rules' view of the shop that is measured, for what works on the store without a service: three effects, and a
// provider that answers at once.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "payment/terms.h"

namespace payonce::bench {

class OneShop final : public Terms {
 public:
  explicit OneShop(std::string provider = "instant")
      : name_(std::move(provider)),
        shop_{MerchantId{"bench"}, {name_}, {{"ship"}, {"points"}, {"notify"}}},
        provider_{.name = name_,
                  .create_is_idempotent = true,
                  .key_window = std::chrono::hours{24},
                  .request_life = std::chrono::seconds{1},
                  .call_timeout = std::chrono::seconds{1},
                  .close_is_proof = true,
                  .attempt_life = std::chrono::minutes{30},
                  .retry_first = std::chrono::seconds{1},
                  .retry_longest = std::chrono::minutes{1},
                  .unknown_alarm_after = std::chrono::hours{1},
                  .write_create =
                      [](Charge const& charge) {
                        return fmt::format(R"({{"number":"{}","amount":{},"currency":"{}"}})", charge.number.value,
                                           charge.amount.minor, charge.amount.currency.code());
                      },
                  .write_refund = [](Refund const&, Attempt const&) { return std::string{}; }} {}
  OneShop(OneShop const&) = delete;
  OneShop& operator=(OneShop const&) = delete;

  MerchantSettings const* merchant(MerchantId const&) const override { return &shop_; }
  ProviderTerms const* provider(std::string_view) const override { return &provider_; }

 private:
  std::string const name_;
  MerchantSettings const shop_;
  ProviderTerms const provider_;
};

}  // namespace payonce::bench
