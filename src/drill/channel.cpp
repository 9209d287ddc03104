#include "drill/channel.h"

#include <algorithm>

namespace payonce::drill {

namespace {

constexpr std::string_view repeated_at_stripe[] = {"create"};
constexpr std::string_view repeated_at_paypal[] = {"prepare", "refund"};

constexpr NotApplicable not_at_alipay[] = {
    {"dispute-opened-and-lost", "Alipay sends no notice of a dispute"},
    {"refund-at-the-desk", "Alipay's notice of a refund tells the sum of all refunds, not what this one gave back"},
};

constexpr NotApplicable not_at_wechatpay[] = {
    {"dispute-opened-and-lost", "WeChat Pay sends no notice of a dispute"},
    {"refund-at-the-desk", "WeChat Pay sends notices of those refunds only whose request named an address"},
};

constexpr std::string_view no_closing = "PayPal has no closing: an unpaid order ends only with its time";
constexpr std::string_view no_statements = "payonce reads no statements of PayPal yet";
constexpr NotApplicable not_at_paypal[] = {
    {"statement-alone-tells", no_statements},
    {"refund-told-by-statement", no_statements},
    {"statement-read-twice", no_statements},
    {"surplus-told-three-times", no_statements},
    {"method-changed", no_closing},
    {"order-expires-unpaid", no_closing},
    {"price-changed-with-replace", no_closing},
};

constexpr std::string_view about_holds[] = {"capture-response-lost", "captures-at-once", "capture-and-void",
                                            "hold-ends-under-a-capture"};

constexpr Channel table[] = {
    {.kind = "sandbox",
     .method = "",
     .config = R"(url = "{bank}"
account = "sandbox-account"
notice_secrets = ["{notice_secret}"]
forgetful = {forgetful}
)",
     .has_keys = false},
    {.kind = "stripe",
     .method = "pm_card_visa",
     .config = R"(url = "{bank}"
api_secret = "{secret_key}"
notice_secrets = ["{webhook_secret}"]
return_url = "http://127.0.0.1/thanks"
)",
     .never_forgets = "Stripe gives the first answer again under its key, for a day",
     .repeated = repeated_at_stripe,
     .recovery = {0, 2}},
    {.kind = "alipay",
     .method = "",
     .config = R"(url = "{bank}/gateway.do"
account = "{seller_id}"
app_id = "{app_id}"
private_key = "file:{keys}/app_private_key.pem"
alipay_public_keys = ["file:{keys}/alipay_public_key.pem"]
notify_url = "{notices}"
default_method = "precreate"
refund_spacing_ms = 200
)",
     .never_forgets = "Alipay knows a number again for the life of its trade",
     .recovery = {3, 2},
     .hours_ahead = 8,
     .not_applicable = not_at_alipay,
     .never_holds = "Alipay's page, app and QR code payments hold no money"},
    {.kind = "wechatpay",
     .method = "",
     .config = R"(url = "{bank}"
app_id = "{appid}"
mch_id = "{mchid}"
merchant_serial = "{merchant_serial}"
private_key = "file:{keys}/merchant_private_key.pem"
api_v3_key = "{api_v3_key}"
public_key_id = "{public_key_id}"
public_key = "file:{keys}/wechatpay_public_key.pem"
notify_url = "{notices}"
refund_spacing_ms = 200
)",
     .never_forgets = "WeChat Pay knows a number again for ever",
     .recovery = {3, 2},
     .hours_ahead = 8,
     .not_applicable = not_at_wechatpay,
     .never_holds = "WeChat Pay's orders hold no money"},
    {.kind = "paypal",
     .method = "",
     .config = R"(url = "{bank}"
client_id = "{client_id}"
api_secret = "{client_secret}"
webhook_id = "{webhook_id}"
webhook_certificates = ["file:{keys}/webhook_cert.pem"]
return_url = "http://127.0.0.1/thanks"
cancel_url = "http://127.0.0.1/cart"
)",
     .first_call = "prepare",
     .never_forgets = "PayPal knows a request id again for hours, and captures an order once whatever the id",
     .repeated = repeated_at_paypal,
     .recovery = {3, 2},
     .not_applicable = not_at_paypal},
};

}  // namespace

bool Channel::repeats(std::string_view call) const { return std::ranges::find(repeated, call) != repeated.end(); }

std::string_view Channel::why_not(std::string_view failure, bool is_forgetful) const {
  if (is_forgetful && !never_forgets.empty()) return never_forgets;
  if (std::ranges::find(about_holds, failure) != std::end(about_holds) && !never_holds.empty()) return never_holds;
  auto const at = std::ranges::find(not_applicable, failure, &NotApplicable::failure);
  return at == not_applicable.end() ? std::string_view{} : at->why;
}

std::span<Channel const> channels() { return table; }

Channel const* find_channel(std::string_view kind) {
  auto const* const at = std::ranges::find(table, kind, &Channel::kind);
  return at == std::end(table) ? nullptr : at;
}

}  // namespace payonce::drill
