// A provider's way of speaking, spoken over the one bank: its requests, its answers, its notices.
// Written from what the provider documents, never from our connector, which it is there to check.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "net/http_message.h"
#include "net/url.h"
#include "sandbox/ledger.h"
#include "sandbox/notice_style.h"
#include "sandbox/teller.h"

namespace payonce::sandbox {

// What every dialect works with; all of it outlives the dialect.
struct DialectParts {
  Ledger& ledger;
  Teller& teller;
  Clock const& clock;
  Random& random;
  std::string const& base_url;  // of the sandbox, without a slash at its end
  bool buyers_pay;              // whoever has to pay on a page of the provider does so at once
  bool forgetful;               // keys that make a repeat harmless are not remembered
};

class Dialect : public NoticeStyle {
 public:
  virtual std::string_view name() const = 0;
  // Whether the request is one of this dialect.
  virtual bool understands(HttpRequest const& request, Target const& target) const = 0;
  virtual void handle(HttpRequest const& request, Target const& target, Respond respond) = 0;
};

}  // namespace payonce::sandbox
