#include "provider/wechatpay/classify.h"

#include <boost/json.hpp>

#include "payment/call_kind.h"
#include "provider/answers.h"
#include "provider/json_fields.h"
#include "provider/wechatpay/codes.h"

namespace payonce::wechatpay {

namespace {

namespace json = boost::json;

// Those of orders that are paid by scanning a buyer's code are none of ours.
constexpr StatusMeaning order_states[] = {
    {"SUCCESS", Outcome::succeeded},
    {"REFUND", Outcome::succeeded},
    {"NOTPAY", Outcome::requires_action},
    {"CLOSED", Outcome::declined},
};
// ABNORMAL can't reach the buyer's account and waits for the merchant to choose another.
constexpr StatusMeaning refund_states[] = {
    {"SUCCESS", Outcome::succeeded},
    {"CLOSED", Outcome::declined},
    {"PROCESSING", Outcome::pending},
    {"ABNORMAL", Outcome::in_doubt},
};

// Whole fen under amount.`key`.
std::optional<Money> fen_at(json::object const& object, std::string_view key) {
  auto const* amount = object.if_contains("amount");
  auto const* parts = amount ? amount->if_object() : nullptr;
  auto const* fen = parts ? parts->if_contains(key) : nullptr;
  if (!fen || !fen->is_int64()) return std::nullopt;
  std::string const currency = text_at(*parts, "currency");
  return currency.empty() || currency == "CNY" ? std::optional{Money{fen->get_int64(), Currency::of("CNY")}}
                                               : std::nullopt;
}

Answer read_create(json::object const& object) {
  Answer answer;
  for (std::string_view const key : {"code_url", "h5_url", "prepay_id"})
    if (answer.action_url.empty()) answer.action_url = text_at(object, key);
  answer.code = "prepared";
  answer.text = json::serialize(object);
  answer.outcome = answer.action_url.empty() ? Outcome::in_doubt : Outcome::requires_action;
  return answer;
}

Answer read_error(ProviderCall const& call, HttpAnswer const& answer, bool is_question, bool is_genuine) {
  auto const object = parse_object(answer.body);
  std::string const code = object ? text_at(*object, "code") : std::string{};
  Answer meaning = in_doubt(code.empty() ? "http_" + std::to_string(answer.status) : code, answer);
  CallKind const asked = is_question ? CallKind::query : call.kind;
  bool const is_refusal = answer.status >= 400 && answer.status < 500;
  Meaning const listed = is_refusal ? meaning_of(codes, asked, meaning.code) : Meaning::in_doubt;
  // No money moves by a create, so that nothing is lost by believing that it was refused.
  bool const is_harmless =
      call.kind == CallKind::create && listed == Meaning::not_taken && !answer.header("Wechatpay-Signature");
  if (is_genuine || is_harmless) meaning.outcome = outcome_of(listed, call);
  return meaning;
}

}  // namespace

std::optional<json::object> parse_object(std::string const& text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

Answer read_order(json::object const& order, Owner const& owner) {
  Answer answer;
  answer.code = text_at(order, "trade_state");
  answer.outcome = outcome_in(order_states, answer.code);
  answer.provider_ref = text_at(order, "transaction_id");
  answer.text = json::serialize(order);
  if (answer.outcome == Outcome::succeeded) {
    answer.amount = fen_at(order, "total");
    if (!answer.amount) answer.misfit = "the answer names no amount that can be compared";
    if (answer.code == "REFUND") answer.misfit = "it was paid, and given back in whole or in part outside payonce";
  }
  if (text_at(order, "mchid") != owner.mch_id || text_at(order, "appid") != owner.app_id)
    answer.misfit = "the answer is about merchant " + text_at(order, "mchid").substr(0, 32);
  return answer;
}

Answer read_refund(json::object const& refund, std::string_view status_key) {
  Answer answer;
  answer.code = text_at(refund, status_key);
  answer.outcome = outcome_in(refund_states, answer.code);
  answer.provider_ref = text_at(refund, "refund_id");
  answer.text = json::serialize(refund);
  answer.amount = fen_at(refund, "refund");
  return answer;
}

Answer classify(ProviderCall const& call, bool is_question, HttpAnswer const& answer, Keys const& keys,
                Owner const& owner, Time now) {
  if (auto none = unanswered(answer)) return std::move(*none);
  bool const is_genuine = keys.check(answer.headers, answer.body, now).has_value();
  bool const is_success = answer.status == 200 || answer.status == 204;
  if (!is_success) return read_error(call, answer, is_question, is_genuine);
  if (!is_genuine) return in_doubt("not_signed_by_wechatpay", answer);
  if (call.kind == CallKind::close && !is_question) {
    Answer closed;
    closed.outcome = Outcome::declined;
    closed.code = "closed";
    closed.text = "WeChat Pay has closed the order";
    return closed;
  }
  auto const object = parse_object(answer.body);
  if (!object) return in_doubt("http_" + std::to_string(answer.status), answer);
  if (call.kind == CallKind::create) return read_create(*object);
  bool const is_refund = is_about_refund(call.kind);
  std::string const number = text_at(*object, is_refund ? "out_refund_no" : "out_trade_no");
  if (number != (is_refund ? call.refund->id.value : call.attempt.id.value)) return in_doubt("other_number", answer);
  return is_refund ? read_refund(*object, "status") : read_order(*object, owner);
}

}  // namespace payonce::wechatpay
