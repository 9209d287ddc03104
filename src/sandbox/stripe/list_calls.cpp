// Lists, newest first: payment intents, the refunds of an intent, balance transactions.
#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <map>
#include <ranges>
#include <utility>

#include "sandbox/stripe/stripe_dialect.h"

namespace payonce::sandbox::stripe {

namespace json = boost::json;

namespace {

std::int64_t number_in(Target const& target, std::string_view name, std::int64_t fallback) {
  std::string_view const text = target.parameter(name).value_or("");
  std::int64_t number = fallback;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// One page of the objects, which stand newest first and bear "id" and "created".
HttpResponse page_of(std::vector<json::object> objects, Target const& target) {
  std::int64_t const from = number_in(target, "created[gte]", 0);
  std::int64_t const before = number_in(target, "created[lt]", std::int64_t{1} << 60);
  std::erase_if(objects, [&](json::object const& object) {
    std::int64_t const created = object.at("created").as_int64();
    return created < from || created >= before;
  });
  auto begin = objects.begin();
  if (auto const after = target.parameter("starting_after")) {
    auto const found = std::ranges::find_if(
        objects, [&](json::object const& object) { return std::string_view{object.at("id").as_string()} == *after; });
    if (found != objects.end()) begin = std::next(found);
  }
  auto const limit = std::clamp<std::int64_t>(number_in(target, "limit", 10), 1, 100);
  json::array data;
  for (; begin != objects.end() && std::ssize(data) < limit; ++begin) data.emplace_back(std::move(*begin));
  json::object const body{
      {"object", "list"}, {"url", target.path}, {"has_more", begin != objects.end()}, {"data", std::move(data)}};
  return {.headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

// `source` is the charge or refund itself if it is to be shown whole, else its id.
json::object balance_row(BillLine const& line, json::value source) {
  std::string const currency = to_lower(line.currency);
  std::int64_t const created = to_epoch_ms(line.at) / 1000;
  std::int64_t const amount = from_minor(line.is_refund ? -line.amount_minor : line.amount_minor, currency);
  std::int64_t const fee = from_minor(line.fee_minor, currency);
  std::string_view const type = line.is_refund ? "refund" : "charge";
  return {{"id", "txn_" + line.id.substr(3)},
          {"object", "balance_transaction"},
          {"amount", amount},
          {"available_on", created},
          {"created", created},
          {"currency", currency},
          {"fee", fee},
          {"net", amount - fee},
          {"reporting_category", type},
          {"source", std::move(source)},
          {"status", "available"},
          {"type", type}};
}

}  // namespace

void StripeDialect::list_intents(Target const& target, Respond respond) {
  auto execute = [this, target](Injection) {
    std::vector<json::object> intents;
    for (Charge const& charge : parts_.ledger.bank().charges() | std::views::reverse)
      if (Intent const intent = find_intent(intent_id(charge.id)); !intent.record.empty())
        intents.push_back(intent_object(intent.record, intent.charge, Fault::none, parts_.base_url));
    return page_of(std::move(intents), target);
  };
  parts_.teller.serve({Call::query, {}, {}, failure}, std::move(execute), std::move(respond));
}

void StripeDialect::list_refunds(Target const& target, Respond respond) {
  std::string id{target.parameter("payment_intent").value_or("")};
  if (auto const charge = target.parameter("charge"); id.empty() && charge && charge->size() > 3)
    id = intent_id(*charge);
  auto execute = [this, target, id](Injection) {
    std::vector<json::object> refunds;
    for (Refund const& refund : parts_.ledger.bank().refunds() | std::views::reverse) {
      if (parts_.ledger.find("stripe.refund", refund.id) == nullptr) continue;
      json::object object = refund_json(refund, Fault::none);
      if (id.empty() || object.at("payment_intent").as_string() == json::string_view{id})
        refunds.push_back(std::move(object));
    }
    return page_of(std::move(refunds), target);
  };
  Intent const intent = find_intent(id);
  parts_.teller.serve({Call::query_refund, {}, intent.charge.order, failure}, std::move(execute), std::move(respond));
}

json::value StripeDialect::source_of(BillLine const& line) const {
  if (line.is_refund) return refund_json(parts_.ledger.bank().query_refund(line.refund_number).refund, Fault::none);
  Intent const intent = find_intent(intent_id(line.charge_id));
  std::string const currency = to_lower(line.currency);
  return json::object{{"id", line.charge_id},
                      {"object", "charge"},
                      {"amount", from_minor(intent.charge.amount_minor, currency)},
                      {"amount_captured", from_minor(line.amount_minor, currency)},
                      {"currency", currency},
                      {"metadata", intent.record.at("metadata")},
                      {"payment_intent", intent_id(line.charge_id)},
                      {"status", "succeeded"}};
}

// No question about a payment, and so none that a fault is ordered for.
void StripeDialect::list_balance(Target const& target, Respond respond) {
  bool const is_whole = target.parameter("expand[]").value_or("") == "data.source";
  // Newest first; those of one second as the bank tells them.
  std::multimap<std::int64_t, json::object, std::greater<>> by_age;
  for (BillLine const& line : bill_of(parts_.ledger.bank(), name(), Time::min(), Time::max())) {
    json::object row = balance_row(line, is_whole ? source_of(line) : json::value(line.id));
    std::int64_t const created = row.at("created").as_int64();
    by_age.emplace(created, std::move(row));
  }
  std::vector<json::object> rows;
  for (auto& [created, row] : by_age) rows.push_back(std::move(row));
  respond(page_of(std::move(rows), target));
}

}  // namespace payonce::sandbox::stripe
