// Trades: precreate and its QR code, the cashier's page, query, close, cancel.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "sandbox/alipay/alipay_dialect.h"
#include "sandbox/beijing.h"
#include "sandbox/long_number.h"

namespace payonce::sandbox::alipay {

namespace json = boost::json;

namespace {

constexpr std::string_view offers = "alipay.offer";            // by out_trade_no
constexpr std::string_view trade_numbers = "alipay.trade_no";  // the out_trade_no by trade_no

HttpResponse see(std::string const& url) { return {.status = 302, .headers = {{"Location", url}}, .body = {}}; }

HttpResponse page(std::string_view text) {
  return {.status = 200, .headers = {{"Content-Type", "text/html; charset=utf-8"}}, .body = std::string{text}};
}

std::string text_in(json::object const& object, std::string_view name) {
  json::value const* const value = object.if_contains(name);
  return value == nullptr || !value->is_string() ? std::string{} : std::string{value->as_string()};
}

// "15m", "3h", "1d": whole numbers only.
std::optional<Millis> parse_timeout(std::string_view text) {
  if (text.size() < 2 || text.find_first_not_of("0123456789") != text.size() - 1 || text.size() > 6)
    return std::nullopt;
  std::int64_t const number = std::stoll(std::string{text.substr(0, text.size() - 1)});
  if (text.back() == 'm') return std::chrono::minutes{number};
  if (text.back() == 'h') return std::chrono::hours{number};
  if (text.back() == 'd') return std::chrono::days{number};
  return std::nullopt;
}

}  // namespace

bool AlipayDialect::Trade::is_open() const {
  // A buyer's refusal is none of the merchant's business: the trade goes on waiting.
  return exists() && !is_paid() && charge.state != ChargeState::closed;
}

// Merchants write their order's number there; the bank's ledger sums up by it.
std::string AlipayDialect::order_of(Asked const& asked) const {
  if (Trade const trade = find(asked); !trade.offer.empty()) return text_in(trade.offer, "order");
  std::string order = asked.text("merchant_order_no");
  return order.empty() ? asked.text("out_trade_no") : order;
}

AlipayDialect::Trade AlipayDialect::find_number(std::string const& number) const {
  std::string const* const offer = parts_.ledger.find(offers, number);
  if (offer == nullptr) return {};
  Trade trade{.offer = json::parse(*offer).as_object(), .charge = {}};
  Charge const charge = parts_.ledger.bank().query(number).charge;
  if (charge.dialect == name()) trade.charge = charge;
  return trade;
}

AlipayDialect::Trade AlipayDialect::find(Asked const& asked) const {
  std::string const trade_no = asked.text("trade_no");
  if (trade_no.empty()) return find_number(asked.text("out_trade_no"));
  std::string const* const number = parts_.ledger.find(trade_numbers, trade_no);
  return number == nullptr ? Trade{} : find_number(*number);
}

// Keeps what the merchant offers; no trade exists before a buyer opens it.
CallResult AlipayDialect::offer(Asked const& asked) {
  std::string const number = asked.text("out_trade_no");
  auto const fen = parse_yuan(asked.text("total_amount"));
  bool const is_complete = !number.empty() && number.size() <= 64 && !asked.text("subject").empty();
  if (!is_complete || !fen) return failed("ACQ.INVALID_PARAMETER");
  std::optional<Time> expires_at = parse_beijing(asked.text("time_expire"));
  if (auto const timeout = parse_timeout(asked.text("timeout_express")); timeout && !expires_at)
    expires_at = parts_.clock.now() + *timeout;
  if (expires_at && *expires_at <= parts_.clock.now()) return failed("ACQ.NOW_TIME_AFTER_EXPIRE_TIME_ERROR");

  Trade const known = find_number(number);
  if (known.is_paid()) return failed("ACQ.TRADE_HAS_SUCCESS");
  if (known.exists() && !known.is_open()) return failed("ACQ.TRADE_HAS_CLOSE");
  if (!known.offer.empty()) {
    bool const is_same = text_in(known.offer, "total_amount") == to_yuan(*fen) &&
                         text_in(known.offer, "subject") == asked.text("subject");
    return is_same ? CallResult{} : failed("ACQ.CONTEXT_INCONSISTENT");
  }
  json::object const offer{{"out_trade_no", number},
                           {"order", order_of(asked)},
                           {"total_amount", to_yuan(*fen)},
                           {"subject", asked.text("subject")},
                           {"body", asked.text("body")},
                           {"passback_params", asked.text("passback_params")},
                           {"notify_url", value_of(asked.parameters, "notify_url")},
                           {"expires_at", expires_at ? json::value(to_epoch_ms(*expires_at)) : json::value()}};
  parts_.ledger.keep(offers, number, json::serialize(offer));
  return {};
}

CallResult AlipayDialect::precreate(Asked const& asked, Injection injection) {
  if (injection.fault == Fault::decline) return failed("ACQ.BUYER_PAYMENT_AMOUNT_DAY_LIMIT_ERROR");
  CallResult result = offer(asked);
  if (result.code != "10000") return result;
  std::string const number = asked.text("out_trade_no");
  bool const is_opened =
      parts_.buyers_pay || injection.fault == Fault::decline_then_succeed || injection.fault == Fault::buyer_waits;
  if (is_opened) open_trade(number);
  if (injection.fault == Fault::decline_then_succeed) {
    parts_.ledger.bank().pay(number, to_text(injection.fault), parts_.clock.now());
    return failed("ACQ.BUYER_PAYMENT_AMOUNT_DAY_LIMIT_ERROR");
  }
  if (parts_.buyers_pay && injection.fault != Fault::buyer_waits) parts_.ledger.bank().approve(number);
  if (injection.fault == Fault::in_progress) return {.code = "10003", .fields = {{"out_trade_no", number}}};
  result.fields = {{"out_trade_no", number}, {"qr_code", fmt::format("{}/alipay-qr/{}", parts_.base_url, number)}};
  return result;
}

// The buyer opens what was offered: from now on there is a trade. Answers with the page where it is paid.
HttpResponse AlipayDialect::open_trade(std::string const& number) {
  Trade trade = find_number(number);
  if (trade.offer.empty()) return page("<p>No such trade. · 交易不存在</p>");
  Bank& bank = parts_.ledger.bank();
  json::value const& expires_at = trade.offer.at("expires_at");
  if (!trade.exists()) {
    std::optional<Time> expiry;
    if (expires_at.is_int64()) expiry = from_epoch_ms(expires_at.as_int64());
    if (expiry && *expiry <= parts_.clock.now()) return page("<p>This trade has expired. · 交易已过期</p>");
    trade.charge = bank.create({.number = number,
                                .order = text_in(trade.offer, "order"),
                                .amount_minor = *parse_yuan(text_in(trade.offer, "total_amount")),
                                .currency = "CNY",
                                .method = "approve",
                                .expires_at = expiry,
                                .dialect = std::string{name()},
                                .forced_method = {}},
                               parts_.clock.now())
                       .charge;
    parts_.ledger.keep(trade_numbers, long_number(trade.charge), number);
  } else if (trade.charge.state == ChargeState::declined) {
    bank.pay(number, "approve", parts_.clock.now());
  }
  return see(fmt::format("{}/pay/{}", parts_.base_url, number));
}

// The browser brings what the merchant signed; what is wrong with it is shown to the buyer.
void AlipayDialect::open_cashier(Asked asked, Respond respond) {
  auto execute = [this, asked = std::move(asked)](Injection) {
    CallResult const offered = offer(asked);
    std::string const number = asked.text("out_trade_no");
    if (offered.code != "10000" && offered.sub_code != "ACQ.TRADE_HAS_SUCCESS")
      return page(fmt::format("<p>{}</p>", offered.sub_code));
    HttpResponse const opened = open_trade(number);
    if (parts_.buyers_pay) parts_.ledger.bank().approve(number);
    return opened;
  };
  parts_.teller.serve_person(std::move(execute), std::move(respond));
}

void AlipayDialect::scan(std::string number, Respond respond) {
  auto execute = [this, number = std::move(number)](Injection) { return open_trade(number); };
  parts_.teller.serve_person(std::move(execute), std::move(respond));
}

std::string_view AlipayDialect::trade_status(Trade const& trade) const {
  if (trade.is_open()) return "WAIT_BUYER_PAY";
  bool const keeps_money = trade.is_paid() && parts_.ledger.bank().refundable(trade.charge.number) > 0;
  return keeps_money ? "TRADE_SUCCESS" : "TRADE_CLOSED";
}

json::object AlipayDialect::trade_fields(Trade const& trade) const {
  return {{"trade_no", long_number(trade.charge)}, {"out_trade_no", trade.charge.number}};
}

CallResult AlipayDialect::query(Asked const& asked, Injection injection) {
  Trade const trade = find(asked);
  if (!trade.exists()) return failed("ACQ.TRADE_NOT_EXIST");
  CallResult result{.fields = trade_fields(trade)};
  std::string const amount = to_yuan(trade.charge.amount_minor);
  result.fields["trade_status"] = trade_status(trade);
  result.fields["total_amount"] = amount;
  result.fields["buyer_logon_id"] = "san***@sandbox.example";
  result.fields["buyer_user_id"] = "2088000000000001";
  if (trade.is_paid()) {
    result.fields["send_pay_date"] = to_beijing(trade.charge.created_at);
    result.fields["buyer_pay_amount"] = amount;
    result.fields["receipt_amount"] = amount;
  }
  if (injection.fault == Fault::in_progress) result.fields["trade_status"] = "WAIT_BUYER_PAY";
  if (injection.fault == Fault::nonsense_json) result.fields["trade_status"] = "SIDEWAYS";
  return result;
}

CallResult AlipayDialect::close(Asked const& asked, Injection injection) {
  Trade const trade = find(asked);
  if (!trade.exists()) return failed("ACQ.TRADE_NOT_EXIST");
  if (!trade.is_open()) return failed("ACQ.TRADE_STATUS_ERROR");
  parts_.ledger.bank().abandon(trade.charge.number);
  if (injection.fault == Fault::in_progress) return {.code = "20000", .sub_code = "isp.unknow-error"};
  return {.fields = trade_fields(trade)};
}

// Closes what is unpaid and gives back what is paid, so that afterwards no money is with the merchant.
CallResult AlipayDialect::cancel(Asked const& asked, Injection injection) {
  Trade const trade = find(asked);
  CallResult result{.fields = {{"out_trade_no", asked.text("out_trade_no")}, {"retry_flag", "N"}}};
  if (!trade.exists()) return result;
  Bank& bank = parts_.ledger.bank();
  std::string const& number = trade.charge.number;
  if (trade.is_open()) bank.abandon(number);
  if (std::int64_t const left = bank.refundable(number); left > 0)
    bank.refund({.number = number + "_cancel",
                 .charge_number = number,
                 .amount_minor = left,
                 .currency = trade.charge.currency,
                 .reason = "cancel"},
                parts_.clock.now());
  result.fields["trade_no"] = long_number(trade.charge);
  result.fields["action"] = trade.is_paid() ? "refund" : "close";
  if (injection.fault == Fault::in_progress) result.fields["retry_flag"] = "Y";
  return result;
}

}  // namespace payonce::sandbox::alipay
