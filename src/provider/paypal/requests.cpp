#include "provider/paypal/requests.h"

#include <boost/json.hpp>

#include "base/crypto.h"
#include "provider/json_fields.h"
#include "provider/paypal/amount.h"
#include "provider/paypal/classify.h"

namespace payonce::paypal {

namespace {

namespace json = boost::json;

constexpr std::size_t answer_bytes_max = 256 * 1024;  // an order with its captures and links is a few KiB
constexpr std::size_t note_chars_max = 255;
// A token is not used in its last minute, so that it does not end on the way.
constexpr std::chrono::seconds token_margin{60};

json::object amount_object(Money amount) {
  // The rules refuse what PayPal can't take before there is anything to write; PayPal refuses a blank value.
  return {{"currency_code", amount.currency.code()}, {"value", wire_amount(amount).value_or(std::string{})}};
}

}  // namespace

std::string write_create(Style const& style, Charge const& charge) {
  json::object context{{"user_action", "PAY_NOW"}};
  if (!style.return_url.empty()) context["return_url"] = style.return_url;
  if (!style.cancel_url.empty()) context["cancel_url"] = style.cancel_url;
  return json::serialize(
      json::object{{"intent", charge.capture == CaptureMode::manual ? "AUTHORIZE" : "CAPTURE"},
                   {"purchase_units", json::array{json::object{{"reference_id", charge.order.value},
                                                               {"custom_id", charge.number.value},
                                                               {"invoice_id", charge.number.value},
                                                               {"description", charge.order.value},
                                                               {"amount", amount_object(charge.amount)}}}},
                   {"payment_source", json::object{{"paypal", json::object{{"experience_context", context}}}}}});
}

std::string write_capture(Capture const& capture, Attempt const&) {
  return json::serialize(json::object{{"amount", amount_object(capture.amount)},
                                      {"invoice_id", capture.id.value},
                                      {"final_capture", capture.is_final}});
}

std::string write_refund(Refund const& refund, Attempt const& attempt) {
  json::object body{{"amount", amount_object(refund.amount)},
                    {"custom_id", refund_mark(attempt.id, refund.id)},
                    {"invoice_id", refund.id.value}};
  if (!refund.reason.empty()) body["note_to_payer"] = refund.reason.substr(0, note_chars_max);
  return json::serialize(body);
}

Requests::Requests(ProviderSettings const& settings, Clock const& clock)
    : clock_(clock),
      url_(settings.url.empty() ? "https://api-m.paypal.com" : settings.url),
      client_id_(settings.option("client_id")),
      secret_(settings.api_secret) {}

HttpCall Requests::call(std::string const& path) const {
  HttpCall call;
  call.url = url_ + path;
  call.answer_bytes_max = answer_bytes_max;
  return call;
}

HttpCall Requests::get(std::string const& path) const {
  HttpCall get = call(path);
  get.idempotent = true;
  return get;
}

HttpCall Requests::question(std::string_view path, std::string body) const {
  HttpCall question = get(std::string{path});
  question.method = "POST";
  question.headers = {{"Content-Type", "application/json"}};
  question.body = std::move(body);
  return question;
}

HttpCall Requests::post(std::string const& path, std::string body, std::string const& request_id) const {
  HttpCall post = call(path);
  post.method = "POST";
  post.headers = {
      {"Content-Type", "application/json"}, {"Prefer", "return=representation"}, {"PayPal-Request-Id", request_id}};
  post.body = std::move(body);
  return post;
}

void Requests::send(std::shared_ptr<TimedCalls> calls, HttpCall request, HttpClient::Done done) {
  send_with_token(std::move(calls), std::move(request), std::move(done), false);
}

void Requests::send_with_token(std::shared_ptr<TimedCalls> calls, HttpCall request, HttpClient::Done done,
                               bool is_last) {
  TimedCalls& sender = *calls;
  fetch_token(sender, [this, calls = std::move(calls), request = std::move(request), done = std::move(done),
                       is_last](std::string const& token) mutable {
    if (token.empty())
      return done(
          {.delivery = Delivery::never_sent, .error = "PayPal gave no access token; check client_id and api_secret"});
    HttpCall with_token = request;
    with_token.headers.push_back({"Authorization", "Bearer " + token});
    TimedCalls& sender = *calls;
    sender.send(std::move(with_token), [this, calls = std::move(calls), request = std::move(request),
                                        done = std::move(done), is_last](HttpAnswer answer) mutable {
      bool const is_refused = answer.delivery == Delivery::answered && answer.status == 401;
      if (is_refused) token_.clear();
      if (!is_refused || is_last) return done(std::move(answer));
      send_with_token(std::move(calls), std::move(request), std::move(done), true);
    });
  });
}

void Requests::fetch_token(TimedCalls& calls, std::move_only_function<void(std::string)> then) {
  std::string const secret = secret_.line();
  bool const is_good = !token_.empty() && token_secret_ == secret && clock_.monotonic() < token_ends_at_;
  if (is_good) return then(token_);
  HttpCall request = call("/v1/oauth2/token");
  request.method = "POST";
  request.headers = {{"Authorization", "Basic " + base64_encode(client_id_ + ":" + secret)},
                     {"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = "grant_type=client_credentials";
  request.idempotent = true;
  calls.send(std::move(request), [this, secret, then = std::move(then)](HttpAnswer const& answer) mutable {
    bool const is_answer = answer.delivery == Delivery::answered && answer.status == 200;
    auto const object = is_answer ? parse_object(answer.body) : std::nullopt;
    auto const* life = object ? object->if_contains("expires_in") : nullptr;
    token_ = object ? text_at(*object, "access_token") : std::string{};
    token_secret_ = secret;
    std::int64_t const seconds = life && life->is_int64() ? life->get_int64() : 0;
    token_ends_at_ = clock_.monotonic() + std::chrono::seconds{seconds} - token_margin;
    then(token_);
  });
}

}  // namespace payonce::paypal
