// What we put on the wire to Stripe: bodies that are stored before they are sent, and requests made at sending time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "payment/order.h"
#include "provider/settings.h"

namespace payonce::stripe {

// How payments are begun, from the configuration. `return_url` is where the buyer comes back to after another page.
struct Style {
  std::string return_url;
  bool confirms_manually = false;
};

// A method "pm_…" is confirmed by the create itself. Any other is confirmed by the buyer's page: empty for what the
// account offers, or one type such as "card".
bool is_confirmed_by_us(std::string_view method);
std::string write_create(Style const& style, Charge const& charge);
std::string write_capture(Capture const& capture, Attempt const& attempt);
std::string write_refund(Refund const& refund, Attempt const& attempt);

class Requests {
 public:
  explicit Requests(ProviderSettings const& settings);

  HttpCall get(std::string const& path) const;
  // Under an idempotency key: the same key and body again are the same request.
  HttpCall post(std::string const& path, std::string body, std::string const& key) const;

  // Whether our key is of live mode; nothing if it does not say.
  std::optional<bool> is_live() const;

 private:
  HttpCall call(std::string const& path) const;

  std::string const url_;
  std::string const account_;
  std::string const version_;
  Secret const key_;
};

}  // namespace payonce::stripe
