// What checkout pages are configured with: who may open one, where they are, and what buyers can choose from.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.h"
#include "provider/secret.h"

namespace payonce {

// One way to pay as a buyer sees it.
struct CheckoutMethod {
  // How the buyer gets to the attempt's action_url: by following it, or with a phone's camera.
  enum class Action { redirect, qr };

  std::string provider;
  std::string method;  // the provider's token; empty = the provider's default
  std::string name_en;
  std::string name_zh;
  Action action = Action::redirect;

  // How the browser names it.
  std::string id() const { return method.empty() ? provider : provider + ":" + method; }
};

std::string_view to_text(CheckoutMethod::Action action);
// The method as it is when nobody configured one for the provider.
CheckoutMethod default_checkout_method(std::string_view provider);

// As long as what signs: a shorter one could be guessed from a token.
inline constexpr std::size_t checkout_secret_chars_min = 32;

struct CheckoutSettings {
  // The first signs new tokens, any may have signed one; without one there are none.
  std::vector<Secret> secrets;
  std::string url;  // where buyers reach this service, without a slash at its end
  std::map<MerchantId, std::vector<CheckoutMethod>> methods;

  // The secrets as they stand now, those in files read again when they have changed. One that is too short by then is
  // left out, and so are the tokens that it would sign.
  std::vector<std::string> usable_secrets() const;
  std::vector<CheckoutMethod> const& methods_of(MerchantId const& merchant) const;
};

}  // namespace payonce
