#include "provider/stripe/requests.h"

#include "provider/form.h"
#include "provider/stripe/amount.h"
#include "provider/stripe/classify.h"

namespace payonce::stripe {

namespace {

constexpr std::size_t metadata_chars_max = 500;       // https://docs.stripe.com/api/metadata
constexpr std::size_t answer_bytes_max = 256 * 1024;  // an object with its charges is a few KiB

std::string amount_text(Money amount) {
  auto const wire = wire_amount(amount);
  // The rules refuse such an amount before there is anything to write; Stripe refuses a blank one.
  return wire ? std::to_string(*wire) : std::string{};
}

std::string lower_code(Currency currency) {
  std::string code{currency.code()};
  for (char& c : code) c = static_cast<char>(c - 'A' + 'a');
  return code;
}

void add_metadata(Form& form, std::string_view key, std::string_view value) {
  form.add("metadata[" + std::string{key} + "]", value.substr(0, metadata_chars_max));
}

}  // namespace

bool is_confirmed_by_us(std::string_view method) { return method.starts_with("pm_"); }

std::string write_create(Style const& style, Charge const& charge) {
  bool const by_us = is_confirmed_by_us(charge.method);
  Form form;
  form.add("amount", amount_text(charge.amount)).add("currency", lower_code(charge.amount.currency));
  if (charge.capture == CaptureMode::manual) form.add("capture_method", "manual");
  if (by_us) form.add("payment_method", charge.method).add("confirm", "true");
  // Stripe lets the account choose the types only if it also confirms by itself.
  bool const names_type = (by_us && style.confirms_manually) || (!by_us && !charge.method.empty());
  if (names_type) {
    form.add("payment_method_types[0]", by_us ? std::string_view{"card"} : charge.method);
  } else {
    form.add("automatic_payment_methods[enabled]", "true");
    if (by_us && style.return_url.empty()) form.add("automatic_payment_methods[allow_redirects]", "never");
  }
  if (by_us && style.confirms_manually) form.add("confirmation_method", "manual");
  if (by_us && !style.return_url.empty()) form.add("return_url", style.return_url);
  add_metadata(form, payment_key, charge.number.value);
  add_metadata(form, order_key, charge.order.value);
  add_metadata(form, confirm_key, by_us ? confirmed_by_us : confirmed_by_buyer);
  return form.text();
}

// What is not captured is let go: https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
std::string write_capture(Capture const& capture, Attempt const&) {
  Form form;
  form.add("amount_to_capture", amount_text(capture.amount));
  add_metadata(form, capture_key, capture.id.value);
  return form.text();
}

std::string write_refund(Refund const& refund, Attempt const& attempt) {
  Form form;
  form.add("payment_intent", attempt.provider_ref).add("amount", amount_text(refund.amount));
  add_metadata(form, refund_key, refund.id.value);
  add_metadata(form, payment_key, attempt.id.value);
  if (!refund.reason.empty()) add_metadata(form, "reason", refund.reason);
  return form.text();
}

Requests::Requests(ProviderSettings const& settings)
    : url_(settings.url.empty() ? "https://api.stripe.com" : settings.url),
      account_(settings.account),
      version_(settings.option("api_version")),
      key_(settings.api_secret) {}

HttpCall Requests::call(std::string const& path) const {
  HttpCall call;
  call.url = url_ + path;
  call.headers = {{"Authorization", "Bearer " + key_.line()}, {"Stripe-Version", version_}};
  if (!account_.empty()) call.headers.push_back({"Stripe-Account", account_});
  call.answer_bytes_max = answer_bytes_max;
  return call;
}

HttpCall Requests::get(std::string const& path) const {
  HttpCall get = call(path);
  get.idempotent = true;
  return get;
}

HttpCall Requests::post(std::string const& path, std::string body, std::string const& key) const {
  HttpCall post = call(path);
  post.method = "POST";
  post.headers.push_back({"Content-Type", "application/x-www-form-urlencoded"});
  post.headers.push_back({"Idempotency-Key", key});
  post.body = std::move(body);
  return post;
}

std::optional<bool> Requests::is_live() const {
  std::string const key = key_.line();
  if (key.find("_live_") != std::string::npos) return true;
  if (key.find("_test_") != std::string::npos) return false;
  return std::nullopt;
}

}  // namespace payonce::stripe
