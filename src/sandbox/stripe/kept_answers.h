// Stripe's memory of idempotency keys: the first answer under a key is the answer to every repeat, a 500 too.
// Source: docs.stripe.com/api/idempotent_requests, docs.stripe.com/error-low-level.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "net/http_message.h"
#include "sandbox/ledger.h"

namespace payonce::sandbox::stripe {

class KeptAnswers {
 public:
  // Held by a request from its arrival until it was executed or given up.
  using Turn = std::shared_ptr<void>;

  // What is given must outlive the object.
  KeptAnswers(Ledger& ledger, Clock const& clock) : ledger_(ledger), clock_(clock) {}

  // Nothing while another request under the key is being executed.
  Turn begin(std::string const& key);
  // The first answer, or the error for other parameters; nothing if the key is new or older than a day.
  std::optional<HttpResponse> find(std::string_view key, std::string_view fingerprint) const;
  void keep(std::string_view key, std::string_view fingerprint, HttpResponse const& answer);

 private:
  Ledger& ledger_;
  Clock const& clock_;
  std::shared_ptr<std::set<std::string>> const busy_ = std::make_shared<std::set<std::string>>();
};

}  // namespace payonce::sandbox::stripe
