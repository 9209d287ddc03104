// Orders: create, the buyer's approval, and its completion: the money is taken, or held.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "base/html.h"
#include "base/id.h"
#include "base/money.h"
#include "sandbox/pages.h"
#include "sandbox/paypal/paypal_dialect.h"

namespace payonce::sandbox::paypal {

namespace json = boost::json;

namespace {

constexpr std::string_view orders = "paypal.order";

bool is_without_decimals(std::string_view currency) {
  return currency == "HUF" || currency == "JPY" || currency == "TWD";
}

std::string text_at(json::object const& object, std::string_view pointer) {
  boost::system::error_code missing;
  json::value const whole = object;
  json::value const* const value = whole.find_pointer(pointer, missing);
  return value == nullptr || !value->is_string() ? std::string{} : std::string{value->as_string()};
}

// Merchants name their order there; the bank's ledger sums up by it.
std::string order_named_in(json::object const& body) {
  std::string order = text_at(body, "/purchase_units/0/reference_id");
  return order.empty() || order == "default" ? text_at(body, "/purchase_units/0/custom_id") : order;
}

json::object link(std::string_view rel, std::string const& href, std::string_view method) {
  return {{"href", href}, {"rel", rel}, {"method", method}};
}

}  // namespace

json::object money(std::int64_t minor, std::string const& currency) {
  std::string value = to_decimal({.minor = minor, .currency = Currency::of(currency)});
  if (is_without_decimals(currency)) value.resize(std::min(value.find('.'), value.size()));
  return {{"currency_code", currency}, {"value", value}};
}

std::optional<std::int64_t> parse_money(json::value const* money) {
  if (money == nullptr || !money->is_object()) return std::nullopt;
  std::string const value = text_at(money->get_object(), "/value");
  std::string const code = text_at(money->get_object(), "/currency_code");
  auto const currency = Currency::parse(code);
  if (!currency || (is_without_decimals(code) && value.find('.') != std::string::npos)) return std::nullopt;
  auto const read = parse_decimal(value, *currency);
  if (!read || read->minor < 1) return std::nullopt;
  return read->minor;
}

void PaypalDialect::create(Asked asked, Respond respond) {
  bool const has_source = asked.body.contains("payment_source");
  if (has_source && asked.request_id.empty())
    return respond(error_response(400, "INVALID_REQUEST", "PAYPAL_REQUEST_ID_REQUIRED"));
  json::value const whole = asked.body;
  boost::system::error_code missing;
  json::value const* const amount = whole.find_pointer("/purchase_units/0/amount", missing);
  std::string const intent = text_in(asked.body, "intent");
  if (intent != "CAPTURE" && intent != "AUTHORIZE") return respond(unprocessable("UNSUPPORTED_INTENT"));
  if (!parse_money(amount)) return respond(unprocessable("DECIMAL_PRECISION"));
  std::string order = order_named_in(asked.body);
  auto operation = [this, asked = std::move(asked)](Injection injection) { return create_order(asked, injection); };
  serve(Call::prepare, {}, std::move(order), std::move(operation), std::move(respond));
}

HttpResponse PaypalDialect::create_order(Asked const& asked, Injection injection) {
  if (is_repeat("order", asked.request_id)) {
    std::string const id = *parts_.ledger.find("paypal.request", "order " + asked.request_id);
    return json_response(200, order_object(find(id), Fault::none));
  }
  std::string id = mint_suffix(parts_.clock.now(), parts_.random).substr(9);
  for (char& c : id) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  bool const has_approved = parts_.buyers_pay && injection.fault != Fault::buyer_waits;
  std::string const unit = "/purchase_units/0/";
  std::string const context = "/payment_source/paypal/experience_context/";
  std::string const reference = text_at(asked.body, unit + "reference_id");
  std::string number = text_at(asked.body, unit + "invoice_id");
  if (number.empty()) number = text_at(asked.body, unit + "custom_id");
  json::value const whole = asked.body;
  boost::system::error_code missing;
  Order const order{.record = {{"id", id},
                               {"intent", text_in(asked.body, "intent")},
                               {"number", number.empty() ? id : number},
                               {"order", order_named_in(asked.body)},
                               {"reference_id", reference.empty() ? "default" : reference},
                               {"custom_id", text_at(asked.body, unit + "custom_id")},
                               {"invoice_id", text_at(asked.body, unit + "invoice_id")},
                               {"currency", text_at(asked.body, unit + "amount/currency_code")},
                               {"minor", *parse_money(whole.find_pointer(unit + "amount", missing))},
                               {"return_url", text_at(asked.body, context + "return_url")},
                               {"cancel_url", text_at(asked.body, context + "cancel_url")},
                               {"has_source", asked.body.contains("payment_source")},
                               {"created_at", to_rfc3339(parts_.clock.now())},
                               {"phase", has_approved ? "APPROVED" : "CREATED"}},
                    .charge = {}};
  keep(order);
  if (has_approved) announce_approval(order);
  remember("order", asked.request_id, id);
  return json_response(201, order_object(order, Fault::none));
}

void PaypalDialect::complete(std::string id, std::string verb, Asked asked, Respond respond) {
  Order const order = find(id);
  if (!order.exists()) return respond(error_response(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID"));
  auto operation = [this, id = std::move(id), verb = std::move(verb), asked = std::move(asked)](Injection injection) {
    return complete_order(id, verb, asked, injection);
  };
  serve(Call::create, order.text("number"), order.text("order"), std::move(operation), std::move(respond));
}

HttpResponse PaypalDialect::complete_order(std::string const& id, std::string const& verb, Asked const& asked,
                                           Injection injection) {
  Order order = find(id);
  bool const holds = order.holds();
  if (verb != (holds ? "authorize" : "capture")) return unprocessable("ACTION_DOES_NOT_MATCH_INTENT");
  if (is_repeat(verb, asked.request_id) && order.is_complete())
    return json_response(200, order_object(order, injection.fault));
  if (order.is_complete()) return unprocessable(holds ? "ORDER_ALREADY_AUTHORIZED" : "ORDER_ALREADY_CAPTURED");
  if (order.text("phase") != "APPROVED") return unprocessable("ORDER_NOT_APPROVED");
  bool const declines = injection.fault == Fault::decline || injection.fault == Fault::decline_then_succeed;
  std::string_view const how =
      declines || injection.fault == Fault::short_hold ? to_text(injection.fault) : std::string_view{"card"};
  Bank& bank = parts_.ledger.bank();
  if (order.charge.state == ChargeState::declined) {
    order.charge = bank.pay(order.text("number"), how, parts_.clock.now()).charge;
  } else {
    ChargeReply const reply = bank.create({.number = order.text("number"),
                                           .order = order.text("order"),
                                           .amount_minor = order.record.at("minor").as_int64(),
                                           .currency = order.text("currency"),
                                           .method = "card",
                                           .expires_at = {},
                                           .dialect = std::string{name()},
                                           .forced_method = how,
                                           .holds = holds},
                                          parts_.clock.now());
    if (reply.verdict != Verdict::done) return unprocessable("DUPLICATE_INVOICE_ID");
    order.charge = reply.charge;
    parts_.ledger.keep(holds ? authorizations : captures, order.charge.id, id);
  }
  order.record["charge_id"] = order.charge.id;
  keep(order);
  if (declines) return unprocessable("TRANSACTION_REFUSED");
  remember(verb, asked.request_id, id);
  return json_response(201, order_object(order, injection.fault));
}

// PayPal's page: the buyer approves what the merchant may then capture, and goes back to the shop.
void PaypalDialect::handle_buyer(HttpRequest const& request, std::string id, Respond respond) {
  bool const approves = request.method == "POST";
  auto execute = [this, id = std::move(id), approves](Injection) -> HttpResponse {
    Order order = find(id);
    if (!order.exists()) return {.status = 404, .headers = {{"Content-Type", "text/html"}}, .body = "<p>No order.</p>"};
    std::string const cancel_url = order.text("cancel_url");
    if (!approves)
      return {.headers = {{"Content-Type", "text/html; charset=utf-8"}},
              .body = fmt::format(
                  "<!doctype html><title>PayPal sandbox</title><h1>{}</h1><form method=\"post\">"
                  "<button>Approve · 同意付款</button></form><p><a href=\"{}\">Cancel · 取消</a></p>",
                  escape_html(json::serialize(
                      order_object(order, Fault::none).at("purchase_units").at(0).at("amount").at("value"))),
                  escape_html(cancel_url.empty() ? "/" : cancel_url))};
    bool const is_news = order.text("phase") != "APPROVED";
    order.record["phase"] = "APPROVED";
    keep(order);
    if (is_news) announce_approval(order);
    std::string const back = order.text("return_url");
    if (back.empty()) return {.status = 204};
    char const between = back.find('?') == std::string::npos ? '?' : '&';
    return {.status = 303, .headers = {{"Location", fmt::format("{}{}token={}&PayerID=SANDBOX", back, between, id)}}};
  };
  parts_.teller.serve_person(std::move(execute), std::move(respond));
}

void PaypalDialect::announce_approval(Order const& order) {
  NoticeFacts facts = facts_about(order, "order.approved");
  facts.charge_id = order.text("id");
  parts_.teller.announce(std::move(facts), std::string{name()}, order.text("order"));
}

// About the whole of it. The status is the type's second word.
NoticeFacts PaypalDialect::facts_about(Order const& order, std::string_view type) const {
  Time const now = parts_.clock.now();
  return {.id = "evt_" + mint_suffix(now, parts_.random),
          .type = std::string{type},
          .created_at = now,
          .account = account(),
          .number = order.text("number"),
          .status = std::string{type.substr(type.find('.') + 1)},
          .amount_minor = order.record.at("minor").as_int64(),
          .currency = order.text("currency"),
          .charge_id = order.charge.id,
          .about = order.text("number")};
}

PaypalDialect::Order PaypalDialect::find(std::string_view id) const {
  std::string const* const record = parts_.ledger.find(orders, id);
  if (record == nullptr) return {};
  Order order{.record = json::parse(*record).as_object(), .charge = {}};
  order.record.emplace("intent", "CAPTURE");  // of journals from before there were others
  if (order.record.contains("charge_id")) order.charge = parts_.ledger.bank().query(order.text("number")).charge;
  return order;
}

void PaypalDialect::keep(Order const& order) {
  parts_.ledger.keep(orders, order.text("id"), json::serialize(order.record));
}

json::object PaypalDialect::order_object(Order const& order, Fault fault) const {
  std::string const id = order.text("id");
  std::string status = order.is_complete() ? "COMPLETED" : order.text("phase");
  if (status == "CREATED" && order.record.at("has_source").as_bool()) status = "PAYER_ACTION_REQUIRED";
  if (fault == Fault::nonsense_json) status = "SIDEWAYS";
  json::object unit{{"reference_id", order.text("reference_id")},
                    {"amount", money(order.record.at("minor").as_int64(), order.text("currency"))},
                    {"custom_id", order.text("custom_id")},
                    {"invoice_id", order.text("invoice_id")},
                    {"payee", {{"merchant_id", keys_.merchant_id}}}};
  if (order.is_complete()) unit["payments"] = payments_object(order, fault);
  std::string_view const rel = order.record.at("has_source").as_bool() ? "payer-action" : "approve";
  std::string const self = fmt::format("{}/v2/checkout/orders/{}", parts_.base_url, id);
  json::array const links{
      link("self", self, "GET"), link(rel, fmt::format("{}/paypal/approve/{}", parts_.base_url, id), "GET"),
      order.holds() ? link("authorize", self + "/authorize", "POST") : link("capture", self + "/capture", "POST")};
  return {{"id", id},
          {"intent", order.text("intent")},
          {"status", status},
          {"create_time", order.text("created_at")},
          {"purchase_units", json::array{unit}},
          {"links", links}};
}

json::object PaypalDialect::payments_object(Order const& order, Fault fault) const {
  Bank const& bank = parts_.ledger.bank();
  json::object payments;
  json::array taken;
  if (order.holds()) {
    payments["authorizations"] = json::array{authorization_object(order, fault)};
    for (Capture const& capture : bank.captures_of(order.charge.number))
      taken.push_back(held_capture_object(order, capture, fault));
  } else {
    taken.push_back(capture_object(order, fault));
  }
  json::array given_back;
  for (Refund const& refund : bank.refunds_of(order.charge.number)) given_back.push_back(refund_object(refund, fault));
  if (!taken.empty()) payments["captures"] = std::move(taken);
  if (!given_back.empty()) payments["refunds"] = std::move(given_back);
  return payments;
}

json::object PaypalDialect::capture_object(Order const& order, Fault fault) const {
  Charge const& charge = order.charge;
  std::int64_t const left = parts_.ledger.bank().refundable(charge.number);
  std::string_view status = "COMPLETED";
  if (left < charge.amount_minor) status = left == 0 ? "REFUNDED" : "PARTIALLY_REFUNDED";
  if (fault == Fault::in_progress) status = "PENDING";
  if (fault == Fault::nonsense_json) status = "SIDEWAYS";
  json::object object{{"id", charge.id},
                      {"status", status},
                      {"amount", money(charge.amount_minor, charge.currency)},
                      {"final_capture", true},
                      {"custom_id", order.text("custom_id")},
                      {"invoice_id", order.text("invoice_id")},
                      {"create_time", to_rfc3339(charge.created_at)},
                      {"supplementary_data", {{"related_ids", {{"order_id", order.text("id")}}}}}};
  if (status == "PENDING") object["status_details"] = {{"reason", "PENDING_REVIEW"}};
  return object;
}

}  // namespace payonce::sandbox::paypal
