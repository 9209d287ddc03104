// PayPal (Orders v2, Payments v2) as its documents describe it:
// https://github.com/paypal/paypal-rest-api-specifications and https://developer.paypal.com/api/rest/webhooks/rest/.
#include <fmt/format.h>

#include "base/crypto.h"
#include "base/rsa.h"
#include "connectors/specimens.h"
#include "payment/call_kind.h"
#include "support/rsa_keys.h"

namespace payonce::test {

namespace {

constexpr int paypal_key = 2;
constexpr std::string_view secret = "client-secret-of-specimen";
constexpr std::string_view token = "access-token-of-specimen";
constexpr std::string_view webhook_id = "8PT597110X687430LKGECATA";

// CRC-32 as in ISO 3309.
std::uint32_t crc_of(std::string_view body) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (char const c : body) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ ((crc & 1U) * 0xEDB88320);
  }
  return crc ^ 0xFFFFFFFF;
}

std::string capture(std::string_view number, std::string_view invoice, Money amount) {
  return fmt::format(
      R"({{"id":"CAP1","status":"COMPLETED","amount":{{"currency_code":"{}","value":"{}"}},"custom_id":"{}",)"
      R"("invoice_id":"{}","final_capture":true}})",
      amount.currency.code(), to_decimal(amount), number, invoice);
}

// What stands under "payments" of an order whose money was held first.
std::string held_payments(Standing standing, ProviderCall const& call) {
  Money const amount = call.attempt.amount;
  bool const is_captured = standing == Standing::captured || standing == Standing::paid;
  std::string_view const status = standing == Standing::closed ? "VOIDED"
                                  : is_captured                ? "PARTIALLY_CAPTURED"
                                                               : "CREATED";
  std::string captures;
  if (is_captured)
    captures = capture(call.attempt.id.value, call.capture ? call.capture->id.value : "OTHER",
                       {captured_minor, amount.currency});
  return fmt::format(R"(,"payments":{{"authorizations":[{{"id":"AUTH1","status":"{}",)"
                     R"("amount":{{"currency_code":"{}","value":"{}"}},"expiration_time":"2099-01-01T00:00:00Z"}}],)"
                     R"("captures":[{}]}})",
                     status, amount.currency.code(), to_decimal(amount), captures);
}

std::string order(Standing standing, ProviderCall const& call) {
  std::string const number = standing == Standing::other_number ? "pay_other" : call.attempt.id.value;
  bool const is_hold = standing == Standing::held || standing == Standing::captured || is_about_capture(call.kind);
  bool const is_taken = standing == Standing::paid || standing == Standing::other_number;
  std::string_view const status = is_hold || is_taken            ? "COMPLETED"
                                  : standing == Standing::closed ? "VOIDED"
                                                                 : "PAYER_ACTION_REQUIRED";
  std::string payments;
  if (is_hold)
    payments = held_payments(standing, call);
  else if (is_taken)
    payments = fmt::format(R"(,"payments":{{"captures":[{}]}})", capture(number, number, call.attempt.amount));
  return fmt::format(R"({{"id":"ORDER1","intent":"{}","status":"{}","purchase_units":[{{"custom_id":"{}"{}}}],)"
                     R"("links":[{{"rel":"self","href":"https://api-m.paypal.com/x"}},)"
                     R"({{"rel":"payer-action","href":"https://www.paypal.com/checkoutnow?token=ORDER1"}}]}})",
                     is_hold ? "AUTHORIZE" : "CAPTURE", status, number, payments);
}

std::string refund(Standing standing, ProviderCall const& call) {
  return fmt::format(
      R"({{"id":"REF1","status":"COMPLETED","amount":{{"currency_code":"{}","value":"{}"}},"invoice_id":"{}"}})",
      call.refund->amount.currency.code(), to_decimal(call.refund->amount),
      standing == Standing::other_number ? "ref_other" : call.refund->id.value);
}

class PaypalSpecimen final : public Specimen {
 public:
  std::string kind() const override { return "paypal"; }
  std::string method() const override { return ""; }
  std::string currency() const override { return "USD"; }
  std::string provider_ref() const override { return "ORDER1"; }
  std::string refund_ref() const override { return "REF1"; }

  ProviderSettings settings(std::string const& url) const override {
    ProviderSettings settings;
    settings.url = url;
    settings.api_secret = std::string{secret};
    settings.options = {{"client_id", {"client"}},
                        {"webhook_id", {std::string{webhook_id}}},
                        {"webhook_certificates", {rsa_keys(paypal_key).public_pem}}};
    return settings;
  }

  std::optional<HttpResponse> aside(HttpRequest const& request, ProviderCall const& call) const override {
    if (request.target == "/v1/oauth2/token")
      return HttpResponse{
          .body = fmt::format(R"({{"access_token":"{}","token_type":"Bearer","expires_in":32400}})", token)};
    if (request.method != "GET") return std::nullopt;
    if (call.kind == CallKind::refund) return HttpResponse{.body = order(Standing::paid, call)};
    if (call.kind == CallKind::capture) return HttpResponse{.body = order(Standing::held, call)};
    return std::nullopt;
  }

  HttpResponse answer(Standing standing, ProviderCall const& call, Time) const override {
    if (standing == Standing::not_taken)
      return {.status = 403, .body = R"({"name":"NOT_AUTHORIZED","details":[{"issue":"PERMISSION_DENIED"}]})"};
    bool const is_uncaptured = standing == Standing::absent && call.kind == CallKind::query_capture;
    if (standing == Standing::absent && !is_uncaptured)
      return {.status = 404, .body = R"({"name":"RESOURCE_NOT_FOUND","details":[{"issue":"INVALID_RESOURCE_ID"}]})"};
    if (is_about_refund(call.kind)) return {.status = 201, .body = refund(standing, call)};
    if (call.kind == CallKind::capture)
      return {.status = 201,
              .body = capture(call.attempt.id.value,
                              standing == Standing::other_number ? "cap_other" : call.capture->id.value,
                              call.capture->amount)};
    return {.status = 200, .body = order(standing, call)};
  }

  HttpRequest notice(Standing, ProviderCall const& call, Time now) const override {
    std::string const body =
        fmt::format(R"({{"id":"WH-1","event_version":"1.0","event_type":"PAYMENT.CAPTURE.COMPLETED",)"
                    R"("resource_type":"capture","resource":{}}})",
                    capture(call.attempt.id.value, call.attempt.id.value, call.attempt.amount));
    std::string const time = to_rfc3339(now);
    std::string const text = fmt::format("69cd13f0|{}|{}|{}", time, webhook_id, crc_of(body));
    return {.method = "POST",
            .target = "/v1/notices/it",
            .headers = {{"PAYPAL-TRANSMISSION-ID", "69cd13f0"},
                        {"PAYPAL-TRANSMISSION-TIME", time},
                        {"PAYPAL-TRANSMISSION-SIG",
                         base64_encode(RsaPrivateKey::parse(rsa_keys(paypal_key).private_pem)->sign_sha256(text))},
                        {"PAYPAL-CERT-URL", "https://certificates.example/CERT-1"},
                        {"PAYPAL-AUTH-ALGO", "SHA256withRSA"}},
            .body = body};
  }

  HttpResponse acknowledgement() const override { return {.status = 200}; }
  std::vector<std::string> secrets() const override { return {std::string{secret}, std::string{token}}; }
};

}  // namespace

std::shared_ptr<Specimen const> paypal_specimen() { return std::make_shared<PaypalSpecimen>(); }

}  // namespace payonce::test
