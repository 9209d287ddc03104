// From "Authorization: Bearer <secret>" to a merchant. The database knows hashes only.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/random.h"
#include "http/exchange.h"
#include "store/read_lane.h"

namespace payonce {

class Authenticator {
 public:
  Authenticator(ReadLane& reads, Clock const& clock) : reads_(reads), clock_(clock) {}

  // Fills in merchant and actor and calls `then`, or answers 401. A key that was just used is remembered for
  // key_cache_life, so that a revoked one stops working within that time.
  void check(ExchangePtr exchange, std::function<void(ExchangePtr)> then);

 private:
  struct Known {
    MerchantId merchant;
    std::string name;
    std::chrono::nanoseconds until;
  };

  ReadLane& reads_;
  Clock const& clock_;
  std::unordered_map<std::string, Known> known_;  // by hash
};

inline constexpr std::chrono::seconds key_cache_life{5};

// A new secret: "pok_" and 52 characters, 160 of their bits random.
std::string mint_api_secret(Time now, Random& random);
std::string hash_api_secret(std::string_view secret);

}  // namespace payonce
