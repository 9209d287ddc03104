#include "provider/alipay/classify.h"

#include <boost/json.hpp>

#include "payment/call_kind.h"
#include "provider/alipay/codes.h"
#include "provider/alipay/envelope.h"
#include "provider/answers.h"
#include "provider/json_fields.h"

namespace payonce::alipay {

namespace {

namespace json = boost::json;

constexpr StatusMeaning trade_statuses[] = {
    {"WAIT_BUYER_PAY", Outcome::requires_action},
    {"TRADE_SUCCESS", Outcome::succeeded},
    {"TRADE_FINISHED", Outcome::succeeded},
    {"TRADE_CLOSED", Outcome::declined},
};

std::optional<Money> yuan_at(json::object const& object, std::string_view key) {
  auto const amount = parse_decimal(text_at(object, key), Currency::of("CNY"));
  return amount ? std::optional{*amount} : std::nullopt;
}

// A sub_code without its prefix, which varies: ACQ., AQC. by a slip of Alipay's, aop.ACQ. Else the code.
std::string known_code(json::object const& object) {
  std::string const sub_code = text_at(object, "sub_code");
  std::string_view code = sub_code;
  for (std::string_view const prefix : {"aop.", "ACQ.", "AQC."})
    if (code.starts_with(prefix)) code.remove_prefix(prefix.size());
  std::string const number = text_at(object, "code");
  return number == "40004" ? std::string{code} : number;
}

void read_trade(Answer& meaning, json::object const& object) {
  meaning.code = text_at(object, "trade_status");
  meaning.outcome = outcome_of_trade(meaning.code);
  meaning.provider_ref = text_at(object, "trade_no");
  if (meaning.outcome == Outcome::succeeded) {
    meaning.amount = yuan_at(object, "total_amount");
    if (!meaning.amount) meaning.misfit = "the answer names no amount that can be compared";
  }
  // Closed is unpaid, or paid and given back as a whole; the day of payment tells.
  if (meaning.outcome == Outcome::declined && !text_at(object, "send_pay_date").empty())
    meaning.misfit = "it was paid, and given back outside payonce";
}

// An answer of code 10000.
void read_success(Answer& meaning, ProviderCall const& call, std::string_view method, json::object const& object) {
  meaning.code = "10000";
  if (method == "alipay.trade.query") return read_trade(meaning, object);
  switch (call.kind) {
    case CallKind::create:
      meaning.action_url = text_at(object, "qr_code");
      meaning.outcome = meaning.action_url.empty() ? Outcome::in_doubt : Outcome::requires_action;
      return;
    case CallKind::close: meaning.outcome = Outcome::declined; return;
    case CallKind::refund:
      // Accepted; only this word says that money moved by this very call.
      meaning.outcome = text_at(object, "fund_change") == "Y" ? Outcome::succeeded : Outcome::pending;
      meaning.provider_ref = text_at(object, "trade_no");
      return;
    case CallKind::query_refund: {
      // Without a status it is not received, not finished or failed: the same refund may be sent again.
      bool const is_done = text_at(object, "refund_status") == "REFUND_SUCCESS";
      meaning.outcome = is_done ? Outcome::succeeded : Outcome::not_found;
      meaning.code = is_done ? "REFUND_SUCCESS" : "no refund_status";
      if (is_done) meaning.amount = yuan_at(object, "refund_amount");
      return;
    }
    case CallKind::query:
    case CallKind::capture:
    case CallKind::query_capture: return;
  }
}

// Whether the answer speaks of the number that was asked about. Where Alipay leaves the number out it can't be another.
bool is_about(ProviderCall const& call, json::object const& object) {
  std::string const trade = text_at(object, "out_trade_no");
  std::string const refund = text_at(object, "out_request_no");
  bool const same_refund = !call.refund || refund.empty() || refund == call.refund->id.value;
  return (trade.empty() || trade == call.attempt.id.value) && same_refund;
}

}  // namespace

std::string response_key_of(std::string_view method) {
  std::string key{method};
  for (char& c : key)
    if (c == '.') c = '_';
  return key + "_response";
}

Outcome outcome_of_trade(std::string_view trade_status) { return outcome_in(trade_statuses, trade_status); }

Answer classify(ProviderCall const& call, std::string_view method, HttpAnswer const& answer, Keys const& keys) {
  if (auto none = unanswered(answer)) return std::move(*none);
  std::string const status = "http_" + std::to_string(answer.status);
  auto const envelope = answer.status == 200 ? open_envelope(answer.body, response_key_of(method)) : std::nullopt;
  if (!envelope) return in_doubt(status, answer);
  json::value const value = json::parse(json::string_view{envelope->object.data(), envelope->object.size()});
  json::object const& object = value.get_object();

  Answer meaning;
  meaning.text = std::string{envelope->object};
  meaning.code = known_code(object);
  Meaning const listed = meaning_of(codes, call.kind, meaning.code);
  if (!keys.verify(envelope->object, envelope->sign, envelope->serial)) {
    // The gateway refuses some calls before it knows whose key to sign with.
    bool const is_harmless = call.kind == CallKind::create && envelope->sign.empty() && listed == Meaning::not_taken &&
                             text_at(object, "code") != "40004";
    if (is_harmless) meaning.outcome = outcome_of(listed, call);
    if (!is_harmless) meaning.code = "not_signed_by_alipay";
    return meaning;
  }
  if (meaning.code != "10000") {
    meaning.outcome = outcome_of(listed, call);
    return meaning;
  }
  if (!is_about(call, object)) {
    meaning.code = "other_number";
    return meaning;
  }
  read_success(meaning, call, method, object);
  return meaning;
}

}  // namespace payonce::alipay
