// Alipay's notices: a form whose fields are signed, posted to the address that the trade's request named.
// Source: opendocs.alipay.com/open/203/105286.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/crypto.h"
#include "net/form.h"
#include "sandbox/alipay/alipay_dialect.h"
#include "sandbox/beijing.h"
#include "sandbox/long_number.h"

namespace payonce::sandbox::alipay {

namespace json = boost::json;

namespace {

std::string form_of(Parameters const& fields) {
  std::string form;
  for (auto const& [name, value] : fields)
    form += fmt::format("{}{}={}", form.empty() ? "" : "&", name, percent_encode(value));
  return form;
}

}  // namespace

std::string AlipayDialect::url(NoticeFacts const& facts) const {
  Trade const trade = find_number(facts.about);
  return trade.offer.empty() ? std::string{} : std::string{trade.offer.at("notify_url").as_string()};
}

// Only money that moved is told of.
std::string AlipayDialect::body(NoticeFacts const& facts, bool wrong_signature) const {
  if (facts.status != "succeeded") return {};
  Trade const trade = find_number(facts.about);
  if (!trade.exists()) return {};
  bool const is_refund = !facts.refund_number.empty();
  std::string const amount = to_yuan(is_refund ? trade.charge.amount_minor : facts.amount_minor);
  std::string const app = facts.account == account() ? keys_.app_id : facts.account;
  Parameters fields{{"app_id", app},
                    {"auth_app_id", app},
                    {"body", std::string{trade.offer.at("body").as_string()}},
                    {"buyer_id", "2088000000000001"},
                    {"buyer_logon_id", "san***@sandbox.example"},
                    {"buyer_pay_amount", amount},
                    {"charset", "utf-8"},
                    {"gmt_create", to_beijing(trade.charge.created_at)},
                    {"gmt_payment", to_beijing(trade.charge.created_at)},
                    {"invoice_amount", amount},
                    {"notify_id", facts.id},
                    {"notify_time", to_beijing(facts.created_at)},
                    {"notify_type", "trade_status_sync"},
                    {"out_trade_no", facts.number},
                    {"passback_params", std::string{trade.offer.at("passback_params").as_string()}},
                    {"receipt_amount", amount},
                    {"seller_id", facts.account},
                    {"sign_type", "RSA2"},
                    {"subject", std::string{trade.offer.at("subject").as_string()}},
                    {"total_amount", amount},
                    {"trade_no", long_number(trade.charge)},
                    {"trade_status", std::string{trade_status(trade)}},
                    {"version", "1.0"}};
  if (is_refund) {
    fields["gmt_refund"] = to_beijing(facts.created_at);
    fields["out_biz_no"] = facts.refund_number;
    fields["refund_fee"] = to_yuan(trade.charge.amount_minor - parts_.ledger.bank().refundable(trade.charge.number));
  }
  std::string const text = notice_text(fields);
  fields["sign"] = base64_encode(keys_.alipay_key.sign(wrong_signature ? text + "&wrong=1" : text));
  return form_of(fields);
}

HttpHeaders AlipayDialect::headers(std::string const& /*body*/, bool /*wrong_signature*/) const {
  return {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}};
}

bool AlipayDialect::is_taken(HttpAnswer const& answer) const {
  return answer.delivery == Delivery::answered && answer.status == 200 && answer.body == "success";
}

}  // namespace payonce::sandbox::alipay
