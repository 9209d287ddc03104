// PayPal's webhook events: their signature, checked here with PayPal's certificate, and what they say
// (https://developer.paypal.com/api/rest/webhooks/rest/).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/rsa.h"
#include "net/http_client.h"
#include "provider/parsed_secret.h"
#include "provider/provider.h"
#include "provider/settings.h"

namespace payonce::paypal {

// The keys that events may be signed with: configured ones, and those of certificates fetched from PayPal. Loop thread
// only.
class SigningKeys {
 public:
  SigningKeys(ProviderSettings const& settings, HttpClient& http, Clock const& clock);

  // signature_invalid, with the reason, unless PayPal signed this body for our webhook. A certificate that is not here
  // yet is fetched, and the event refused; PayPal sends it again.
  Result<void> check(HttpRequest const& request) const;

  // The same without a look at the signature, which PayPal is to be asked about: postback.h.
  Result<void> check_headers(HttpRequest const& request) const;

  // What is wrong with the settings, naming one; empty if all is well.
  std::string problem() const;

 private:
  void fetch(std::string const& url) const;

  HttpClient& http_;
  Clock const& clock_;
  std::string const webhook_id_;
  std::vector<ParsedSecret<RsaPublicKey>> configured_;
  // By address; an empty one is being fetched.
  std::shared_ptr<std::map<std::string, std::optional<RsaPublicKey>>> const fetched_;
};

// CRC-32 as in ISO 3309, zip and PNG.
std::uint32_t crc32(std::string_view data);
// Whether certificates may be fetched from there: https, and PayPal's own domain.
bool is_paypal_address(std::string_view url);

// invalid_request when the body is no event. An event about nothing of ours has no number.
Result<Notice> parse_event(std::string const& body);

}  // namespace payonce::paypal
