// One kind of provider as the conformance suite sees it: an account's settings, and what the provider would say, in its
// own form and signed as it signs. Written from the provider's documents, not from the connector.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/http_message.h"
#include "payment/decision.h"
#include "provider/settings.h"

namespace payonce::test {

// How a payment, or the refund or capture that a call is about, stands at the provider.
enum class Standing {
  paid,          // the money moved (for a refund: went back; for a capture: as much as it asked for)
  held,          // the money is held, and nothing of it was captured
  captured,      // `captured_minor` of what was held was captured, and the rest let go
  open,          // known, and not ended
  closed,        // ended without money
  not_taken,     // the request was refused before it did anything
  absent,        // the provider does not know the number
  other_number,  // an answer about somebody else's payment, which is paid
};

inline constexpr std::int64_t captured_minor = 1500;

class Specimen {
 public:
  virtual ~Specimen() = default;
  virtual std::string kind() const = 0;
  virtual ProviderSettings settings(std::string const& url) const = 0;
  // Of a create that is a request to the provider.
  virtual std::string method() const = 0;
  virtual std::string currency() const { return "CNY"; }
  // The provider's own id of a payment; empty if it is asked by our number.
  virtual std::string provider_ref() const { return {}; }
  // Its id of a refund, if a refund is asked by that.
  virtual std::string refund_ref() const { return {}; }
  // The answer to a request that only prepares this call (a token, a look-up); nothing if it is the call itself.
  virtual std::optional<HttpResponse> aside(HttpRequest const&, ProviderCall const&) const { return std::nullopt; }
  // Whether an answer to this call names the number it is about.
  virtual bool names_number(CallKind) const { return true; }
  // At the time `now`, which signatures may hold.
  virtual HttpResponse answer(Standing standing, ProviderCall const& call, Time now) const = 0;
  virtual HttpRequest notice(Standing standing, ProviderCall const& call, Time now) const = 0;
  // What the provider takes for "received, do not send again".
  virtual HttpResponse acknowledgement() const = 0;
  // Texts that may stand in no answer, error or record.
  virtual std::vector<std::string> secrets() const = 0;
};

// One for each connector that has a provider behind it.
std::vector<std::shared_ptr<Specimen const>> specimens();

}  // namespace payonce::test
