#include "drill/customer.h"

#include <fmt/format.h>

#include "drill/patience.h"

namespace payonce::drill {

namespace {

namespace json = boost::json;

// Longer than the service lets anybody wait.
constexpr Millis call_patience{70'000};

std::string text_at(json::value const& value, std::string_view pointer) {
  boost::system::error_code error;
  json::value const* const found = value.find_pointer(pointer, error);
  json::string const* const text = found ? found->if_string() : nullptr;
  return text ? std::string{*text} : std::string{};
}

bool is_without_charge(std::string_view state) { return state == "FAILED" || state == "CANCELED"; }

}  // namespace

std::string Told::text(std::string_view pointer) const { return text_at(json, pointer); }

bool Told::is_refused_for(std::string_view live_payment_id) const {
  return status == 409 && code() == "order_has_live_payment" && text("/payment/id") == live_payment_id;
}

int Customer::turn_of(std::string const& key) {
  auto const at = next_turns_.try_emplace(key, static_cast<int>(next_turns_.size())).first;
  return at->second++;
}

HttpCall Customer::call(int turn, std::string method, std::string const& path, std::string body) const {
  return {.method = std::move(method),
          .url = service_url_(turn) + path,
          .headers = {{"Authorization", "Bearer " + api_key_}, {"Content-Type", "application/json"}},
          .body = std::move(body),
          .total_timeout = call_patience};
}

HttpCall Customer::call_for(PayRequest const& request) {
  json::object body{{"order_id", request.order}};
  if (!method_.empty()) body["method"] = method_;
  if (request.amount) {
    body["amount"] = *request.amount;
    body["currency"] = "CNY";
  }
  if (!request.part.empty()) body["part"] = request.part;
  if (request.replaces) body["replace"] = true;
  HttpCall pay = call(turn_of(request.key), "POST", "/v1/payments", json::serialize(body));
  pay.headers.push_back({"Idempotency-Key", request.key});
  if (!request.prefer.empty()) pay.headers.push_back({"Prefer", request.prefer});
  return pay;
}

HttpCall Customer::refund_call_for(RefundRequest const& request) {
  json::object const body{{"amount", request.amount}, {"reason", request.reason}};
  HttpCall refund = call(turn_of(request.key), "POST", fmt::format("/v1/payments/{}/refunds", request.payment_id),
                         json::serialize(body));
  refund.headers.push_back({"Idempotency-Key", request.key});
  if (!request.prefer.empty()) refund.headers.push_back({"Prefer", request.prefer});
  return refund;
}

HttpCall Customer::capture_call_for(CaptureRequest const& request) {
  HttpCall capture = call(turn_of(request.key), "POST", fmt::format("/v1/payments/{}/captures", request.payment_id),
                          json::serialize(json::object{{"amount", request.amount}}));
  capture.headers.push_back({"Idempotency-Key", request.key});
  if (!request.prefer.empty()) capture.headers.push_back({"Prefer", request.prefer});
  return capture;
}

HttpCall Customer::cancel_call_for(std::string const& payment_id) {
  return call(looks_++, "POST", fmt::format("/v1/payments/{}/cancel", payment_id));
}

Told Customer::hear(HttpAnswer answer) {
  Told told;
  if (answer.delivery != Delivery::answered) return told;
  told.status = answer.status;
  told.is_replay = answer.header("Idempotency-Replayed") == "true";
  told.body = std::move(answer.body);
  boost::system::error_code error;
  told.json = json::parse(told.body, error);
  if (error) told.json = nullptr;
  if (told.status >= 500) server_errors_.push_back(fmt::format("{} {}", told.status, told.body));
  remember(told.json);
  return told;
}

// Payments come alone, inside an order, and inside a refusal.
void Customer::remember(json::value const& value) {
  json::object const* const object = value.if_object();
  if (!object) return;
  if (is_without_charge(text_at(value, "/state"))) told_without_charge_.insert(text_at(value, "/id"));
  if (json::value const* const payment = object->if_contains("payment")) remember(*payment);
  json::value const* const payments = object->if_contains("payments");
  if (!payments || !payments->is_array()) return;
  for (json::value const& payment : payments->get_array()) remember(payment);
}

Told Customer::register_order(std::string const& order, std::int64_t amount, OrderTerms const& terms) {
  json::object body{{"amount", amount}, {"currency", "CNY"}};
  if (terms.is_split) body["policy"] = "split";
  if (terms.is_held) body["capture"] = "manual";
  if (terms.expires_at) body["expires_at"] = to_rfc3339(*terms.expires_at);
  if (terms.replaces) body["replace"] = true;
  return hear(backstage_.call(call(looks_++, "PUT", "/v1/orders/" + order, json::serialize(body))));
}

Told Customer::look_at_order(std::string const& order) {
  return hear(backstage_.call(call(looks_++, "GET", "/v1/orders/" + order)));
}

Told Customer::look_at_payment(std::string const& id, int wait_s) {
  return hear(backstage_.call(call(looks_++, "GET", fmt::format("/v1/payments/{}?wait={}", id, wait_s))));
}

Told Customer::look_at_refund(std::string const& id, int wait_s) {
  return hear(backstage_.call(call(looks_++, "GET", fmt::format("/v1/refunds/{}?wait={}", id, wait_s))));
}

Told Customer::look_at_capture(std::string const& id, int wait_s) {
  return hear(backstage_.call(call(looks_++, "GET", fmt::format("/v1/captures/{}?wait={}", id, wait_s))));
}

Told Customer::book_offline(std::string const& order, std::string const& key) {
  json::object const body{
      {"amount", order_amount}, {"currency", "CNY"}, {"reason", "paid at the counter"}, {"document", "receipt-7"}};
  HttpCall book = call(looks_++, "POST", "/v1/orders/" + order + "/offline-payments", json::serialize(body));
  book.headers.push_back({"Idempotency-Key", key});
  return hear(backstage_.call(std::move(book)));
}

// The buyers of the bank pay by themselves, so that there is nothing to do but to look.
Told Customer::follow(Told told) {
  if (told.state() != "REQUIRES_ACTION") return told;
  Told end;
  wait_for("the payment has ended on the provider's page, or its money is held", [&] {
    end = look_at_payment(told.payment_id(), 1);
    return end.status == 200 && (end.json.at("settled").as_bool() || end.state() == "AUTHORIZED");
  });
  end.status = told.status;
  end.is_replay = told.is_replay;
  return end;
}

Told Customer::pay_without_waiting(std::string key, std::string order) {
  return press({.key = std::move(key), .order = std::move(order), .prefer = "wait=0"});
}

std::vector<Told> Customer::pay_all_at_once(std::vector<PayRequest> const& requests) {
  std::vector<HttpCall> calls;
  for (PayRequest const& request : requests) calls.push_back(call_for(request));
  return ask_all_at_once(std::move(calls));
}

std::vector<Told> Customer::refund_all_at_once(std::vector<RefundRequest> const& requests) {
  std::vector<HttpCall> calls;
  for (RefundRequest const& request : requests) calls.push_back(refund_call_for(request));
  return ask_all_at_once(std::move(calls));
}

std::vector<Told> Customer::capture_all_at_once(std::vector<CaptureRequest> const& requests) {
  std::vector<HttpCall> calls;
  for (CaptureRequest const& request : requests) calls.push_back(capture_call_for(request));
  return ask_all_at_once(std::move(calls));
}

std::vector<Told> Customer::ask_all_at_once(std::vector<HttpCall> calls) {
  std::vector<Told> all;
  for (Backstage::Pending& pending : backstage_.send_all(std::move(calls))) all.push_back(hear(pending.get()));
  return all;
}

void Customer::insist(std::string const& key, std::string const& order) {
  int round = 0;
  std::string current = key;
  wait_for(fmt::format("order {} is paid", order), [&] {
    Told const told = press({.key = current, .order = order, .prefer = "wait=1"});
    if (told.state() == "SUCCEEDED" || told.code() == "order_already_paid") return true;
    if (is_without_charge(told.state())) current = fmt::format("{}-again-{}", key, ++round);
    return false;
  });
}

}  // namespace payonce::drill
