#include "http/checkout_settings.h"

#include <algorithm>
#include <array>

namespace payonce {

namespace {

struct WellKnown {
  std::string_view provider;
  std::string_view en;
  std::string_view zh;
};

// Names that buyers know these providers by.
constexpr std::array well_known{
    WellKnown{"alipay", "Alipay", "支付宝"}, WellKnown{"wechatpay", "WeChat Pay", "微信支付"},
    WellKnown{"stripe", "Card", "银行卡"},   WellKnown{"paypal", "PayPal", "PayPal"},
    WellKnown{"sandbox", "Card", "银行卡"},
};

}  // namespace

std::string_view to_text(CheckoutMethod::Action action) {
  switch (action) {
    case CheckoutMethod::Action::redirect: return "redirect";
    case CheckoutMethod::Action::qr: return "qr";
  }
  return {};
}

CheckoutMethod default_checkout_method(std::string_view provider) {
  CheckoutMethod method{std::string{provider}, {}, std::string{provider}, std::string{provider}};
  auto const known = std::ranges::find(well_known, provider, &WellKnown::provider);
  if (known == well_known.end()) return method;
  method.name_en = known->en;
  method.name_zh = known->zh;
  return method;
}

std::vector<std::string> CheckoutSettings::usable_secrets() const {
  std::vector<std::string> usable;
  for (Secret const& secret : secrets)
    if (std::string line = secret.line(); line.size() >= checkout_secret_chars_min) usable.push_back(std::move(line));
  return usable;
}

std::vector<CheckoutMethod> const& CheckoutSettings::methods_of(MerchantId const& merchant) const {
  static std::vector<CheckoutMethod> const none;
  auto const at = methods.find(merchant);
  return at == methods.end() ? none : at->second;
}

}  // namespace payonce
