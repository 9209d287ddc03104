#include "provider/stripe/statement.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>
#include <set>

#include "provider/json_fields.h"
#include "provider/stripe/classify.h"
#include "provider/stripe/codes.h"

namespace payonce::stripe {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr std::size_t page_bytes_max = 4 * 1024 * 1024;

bool is_refund(json::object const& entry) {
  std::string const type = text_at(entry, "type");
  return type == "refund" || type == "payment_refund";
}

// The payment of a refund that does not say itself whose it is; empty if there is no need to ask.
std::string intent_to_ask(json::object const& entry) {
  auto const* source = object_at(entry, "source");
  bool const is_anonymous = source && is_refund(entry) && metadata_at(*source, payment_key).empty();
  return is_anonymous ? text_at(*source, "payment_intent") : std::string{};
}

class Balance : public std::enable_shared_from_this<Balance> {
 public:
  Balance(HttpClient& http, Requests const& requests, Time begin, Provider::Fetched done)
      : http_(http),
        requests_(requests),
        path_(fmt::format("/v1/balance_transactions?created%5Bgte%5D={}&created%5Blt%5D={}&expand%5B%5D=data.source"
                          "&limit=100",
                          to_epoch_ms(begin) / 1'000, to_epoch_ms(begin + 24h) / 1'000)),
        done_(std::move(done)) {}

  void next_page(std::string const& after) {
    send(path_ + (after.empty() ? "" : "&starting_after=" + after), &Balance::read_page);
  }

 private:
  void send(std::string const& path, void (Balance::*read)(HttpAnswer const&)) {
    HttpCall call = requests_.get(path);
    call.answer_bytes_max = page_bytes_max;
    http_.send(std::move(call),
               [self = shared_from_this(), read](HttpAnswer const& answer) { ((*self).*read)(answer); });
  }

  void refuse(HttpAnswer const& answer) {
    done_(fail(
        ErrorCode::unavailable,
        "Stripe gives no statement: " +
            (answer.delivery == Delivery::answered ? fmt::format("it answered {}", answer.status) : answer.error)));
  }

  void read_page(HttpAnswer const& answer) {
    bool const is_answer = answer.delivery == Delivery::answered && answer.status == 200;
    auto const page = is_answer ? parse_object(answer.body) : std::nullopt;
    auto const* data = page ? page->if_contains("data") : nullptr;
    auto const* has_more = page ? page->if_contains("has_more") : nullptr;
    if (!data || !data->is_array() || !has_more || !has_more->is_bool()) return refuse(answer);
    std::string last;
    for (json::value const& entry : data->get_array()) {
      if (!entry.is_object()) return refuse(answer);
      last = text_at(entry.get_object(), "id");
      if (std::string intent = intent_to_ask(entry.get_object()); !intent.empty()) to_ask_.insert(std::move(intent));
      data_.push_back(entry);
    }
    if (has_more->get_bool() && !last.empty()) return next_page(last);
    next_payment();
  }

  void next_payment() {
    if (!to_ask_.empty()) return send("/v1/payment_intents/" + *to_ask_.begin(), &Balance::read_payment);
    done_(json::serialize(json::object{{"data", std::move(data_)}, {"payments", std::move(payments_)}}));
  }

  void read_payment(HttpAnswer const& answer) {
    bool const is_answer = answer.delivery == Delivery::answered && answer.status == 200;
    auto const intent = is_answer ? parse_object(answer.body) : std::nullopt;
    if (!intent) return refuse(answer);
    payments_[*to_ask_.begin()] = metadata_at(*intent, payment_key);
    to_ask_.erase(to_ask_.begin());
    next_payment();
  }

  HttpClient& http_;
  Requests const& requests_;
  std::string const path_;
  Provider::Fetched done_;
  json::array data_;
  json::object payments_;
  std::set<std::string> to_ask_;
};

LineKind kind_of(json::object const& entry) {
  std::string const type = text_at(entry, "type");
  if (type == "charge" || type == "payment") return LineKind::payment;
  if (is_refund(entry)) return LineKind::refund;
  return type == "stripe_fee" ? LineKind::fee : LineKind::other;
}

// Nothing if the entry is not what Stripe documents.
std::optional<StatementLine> read_entry(json::object const& entry, json::object const& payments) {
  StatementLine line{.kind = kind_of(entry), .amount = {0, Currency::of("USD")}};
  line.id = text_at(entry, "id");
  line.text = json::serialize(entry);
  if (line.kind == LineKind::fee || line.kind == LineKind::other) return line;
  auto const* source = object_at(entry, "source");
  if (!source || line.id.empty()) return std::nullopt;
  // In the buyer's currency; the entry itself may be in another, that of the account, as its fee is.
  bool const is_payment = line.kind == LineKind::payment;
  auto amount = amount_at(*source, is_payment && source->contains("amount_captured") ? "amount_captured" : "amount");
  line.fee = amount_at(entry, "fee");
  if (!amount || !line.fee) return std::nullopt;
  line.amount = *amount;
  line.number = metadata_at(*source, payment_key);
  if (is_payment) {
    line.provider_ref = text_at(*source, "payment_intent");
    return line;
  }
  if (line.number.empty()) line.number = text_at(payments, text_at(*source, "payment_intent"));
  line.refund_number = metadata_at(*source, refund_key);
  if (line.refund_number.empty()) line.refund_number = text_at(*source, "id");
  std::string const status = text_at(*source, "status");
  if (status == "failed" || status == "canceled") line.kind = LineKind::other;  // an entry of its own brings it back
  if (status != "succeeded") line.outcome = Outcome::pending;
  return line;
}

}  // namespace

void fetch_balance(HttpClient& http, Requests const& requests, std::string const& day, Provider::Fetched done) {
  auto const begin = parse_rfc3339(day + "T00:00:00Z");
  if (!begin) return done(std::unexpected(begin.error()));
  std::make_shared<Balance>(http, requests, *begin, std::move(done))->next_page({});
}

Result<Statement> read_balance(std::string_view file) {
  auto const object = parse_object(std::string{file});
  auto const* data = object ? object->if_contains("data") : nullptr;
  if (!data || !data->is_array())
    return fail(ErrorCode::invalid_request, "the statement is no list of Stripe's balance transactions");
  auto const* payments = object_at(*object, "payments");
  Statement statement;
  for (json::value const& entry : data->get_array()) {
    auto line = entry.is_object() ? read_entry(entry.get_object(), payments ? *payments : json::object{})
                                  : std::optional<StatementLine>{};
    if (!line)
      return fail(ErrorCode::invalid_request,
                  fmt::format("the statement, entry {}: it is no balance transaction with its source expanded",
                              statement.lines.size() + 1));
    statement.lines.push_back(std::move(*line));
  }
  return statement;
}

}  // namespace payonce::stripe
