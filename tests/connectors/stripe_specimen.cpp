// Stripe as its documents describe it: https://docs.stripe.com/api.
#include <fmt/format.h>

#include "base/crypto.h"
#include "connectors/specimens.h"
#include "payment/call_kind.h"

namespace payonce::test {

namespace {

constexpr std::string_view key = "sk_test_specimen";
constexpr std::string_view notice_secret = "whsec_test_secret_0123456789";

std::string intent(std::string_view status, std::string_view number, Money amount, std::int64_t received) {
  return fmt::format(
      R"({{"id":"pi_1","object":"payment_intent","amount":{0},"amount_received":{1},"amount_capturable":{0},)"
      R"("currency":"usd","client_secret":"pi_1_secret_2","livemode":false,"status":"{2}",)"
      R"("latest_charge":"ch_1","next_action":null,)"
      R"("last_payment_error":null,"metadata":{{"payonce_payment":"{3}","payonce_confirm":"browser"}}}})",
      amount.minor, status == "succeeded" ? received : 0, status, number);
}

std::string refund(std::string_view status, std::string_view number, Money amount) {
  return fmt::format(R"({{"id":"re_1","object":"refund","amount":{},"currency":"usd","payment_intent":"pi_1",)"
                     R"("status":"{}","metadata":{{"payonce_refund":"{}"}}}})",
                     amount.minor, status, number);
}

class StripeSpecimen final : public Specimen {
 public:
  std::string kind() const override { return "stripe"; }
  std::string method() const override { return ""; }
  std::string currency() const override { return "USD"; }
  std::string provider_ref() const override { return "pi_1"; }

  ProviderSettings settings(std::string const& url) const override {
    ProviderSettings settings;
    settings.url = url;
    settings.api_secret = std::string{key};
    settings.notice_secrets = {std::string{notice_secret}};
    return settings;
  }

  HttpResponse answer(Standing standing, ProviderCall const& call, Time) const override {
    if (standing == Standing::not_taken)
      return {
          .status = 401,
          .body = R"({"error":{"type":"invalid_request_error","message":"Invalid API Key provided: sk_test_***"}})"};
    bool const is_list = call.kind == CallKind::query_refund;
    if (standing == Standing::absent && is_list) return {.body = R"({"object":"list","data":[],"has_more":false})"};
    bool const is_uncaptured = standing == Standing::absent && call.kind == CallKind::query_capture;
    if (standing == Standing::absent && !is_uncaptured)
      return {.status = 404,
              .body = R"({"error":{"type":"invalid_request_error","code":"other","message":"No such"}})"};
    if (standing == Standing::paid && call.kind == CallKind::close)
      return {
          .status = 400,
          .body = fmt::format(R"({{"error":{{"type":"invalid_request_error","code":"payment_intent_unexpected_state",)"
                              R"("payment_intent":{}}}}})",
                              intent("succeeded", call.attempt.id.value, call.attempt.amount, 1999))};
    bool const is_other = standing == Standing::other_number;
    if (is_about_refund(call.kind)) {
      std::string const object =
          refund(status_of_refund(standing), is_other ? "ref_other" : call.refund->id.value, call.refund->amount);
      return {.body =
                  is_list ? fmt::format(R"({{"object":"list","data":[{}],"has_more":{}}})", object, is_other) : object};
    }
    bool const is_part = standing == Standing::captured || is_about_capture(call.kind);
    return {.body = intent(status_of(standing), is_other ? "pay_other" : call.attempt.id.value, call.attempt.amount,
                           is_part ? captured_minor : call.attempt.amount.minor)};
  }

  HttpRequest notice(Standing standing, ProviderCall const& call, Time now) const override {
    std::string const body =
        fmt::format(R"({{"id":"evt_1","object":"event","type":"payment_intent.succeeded","livemode":false,)"
                    R"("data":{{"object":{}}}}})",
                    intent(status_of(standing), call.attempt.id.value, call.attempt.amount, 1999));
    auto const seconds = to_epoch_ms(now) / 1'000;
    std::string const value = hmac_sha256_hex(notice_secret, fmt::format("{}.{}", seconds, body));
    return {.method = "POST",
            .target = "/v1/notices/it",
            .headers = {{"Stripe-Signature", fmt::format("t={},v1={}", seconds, value)}},
            .body = body};
  }

  HttpResponse acknowledgement() const override { return {.status = 200}; }
  std::vector<std::string> secrets() const override {
    return {std::string{key}, std::string{notice_secret}, "pi_1_secret_2"};
  }

 private:
  static std::string_view status_of(Standing standing) {
    if (standing == Standing::open) return "requires_payment_method";
    if (standing == Standing::held || standing == Standing::absent) return "requires_capture";
    return standing == Standing::closed ? "canceled" : "succeeded";
  }
  static std::string_view status_of_refund(Standing standing) {
    if (standing == Standing::open) return "pending";
    return standing == Standing::closed ? "failed" : "succeeded";
  }
};

}  // namespace

std::shared_ptr<Specimen const> stripe_specimen() { return std::make_shared<StripeSpecimen>(); }

}  // namespace payonce::test
