#include "provider/alipay/notice.h"

#include "net/url.h"
#include "provider/alipay/classify.h"

namespace payonce::alipay {

namespace {

// The form's values as they were before encoding: decoded once, and not touched otherwise.
Result<Parameters> parse_form(std::string const& body) {
  auto const form = parse_target("/?" + body);
  if (!form) return fail(ErrorCode::invalid_request, "the notice is not a form");
  Parameters parameters;
  for (auto const& [name, value] : form->query)
    if (!parameters.emplace(name, value).second)
      return fail(ErrorCode::invalid_request, "the notice names \"" + name.substr(0, 32) + "\" twice");
  return parameters;
}

std::string at(Parameters const& parameters, std::string_view name) {
  auto const found = parameters.find(name);
  return found == parameters.end() ? std::string{} : found->second;
}

// Most messages are signed without sign_type, some with it.
bool is_signed(Parameters parameters, Keys const& keys) {
  if (at(parameters, "sign_type") != "RSA2") return false;
  std::string const sign = at(parameters, "sign");
  std::string const serial = at(parameters, "alipay_cert_sn");
  parameters.erase("sign");
  Parameters without_type = parameters;
  without_type.erase("sign_type");
  return keys.verify(text_to_sign(without_type), sign, serial) || keys.verify(text_to_sign(parameters), sign, serial);
}

void read_payment(Answer& answer, Parameters const& notice) {
  answer.outcome = outcome_of_trade(at(notice, "trade_status"));
  // Nothing that a notice says is in doubt; an unknown status means that there is something to ask about.
  if (answer.outcome == Outcome::in_doubt) answer.outcome = Outcome::pending;
  if (answer.outcome != Outcome::succeeded) return;
  auto const amount = parse_decimal(at(notice, "total_amount"), Currency::of("CNY"));
  if (amount) answer.amount = *amount;
  if (!amount) answer.misfit = "the notice names no amount that can be compared";
}

}  // namespace

Result<Notice> read_notice(std::string const& body, Keys const& keys, std::string_view app_id,
                           std::string_view seller) {
  auto const parsed = parse_form(body);
  if (!parsed) return std::unexpected(parsed.error());
  Parameters const& form = *parsed;
  if (!is_signed(form, keys))
    return fail(ErrorCode::signature_invalid, "the notice is not signed by Alipay over these values");

  Notice notice;
  notice.event_id = at(form, "notify_id");
  notice.number = at(form, "out_trade_no");
  notice.answer.code = at(form, "trade_status");
  notice.answer.text = body;
  if (notice.event_id.empty()) return fail(ErrorCode::invalid_request, "the notice lacks notify_id");
  bool const is_about_refund = !at(form, "gmt_refund").empty() || !at(form, "refund_fee").empty();
  notice.refund_number = is_about_refund ? at(form, "out_biz_no") : std::string{};
  if (!notice.refund_number.empty()) {
    // When it is sent is not documented, and its amount is that of all refunds: the refund is asked about.
    notice.answer.outcome = Outcome::pending;
  } else if (is_about_refund && notice.answer.code == "TRADE_CLOSED") {
    // All went back, we are not told by which refund. Nothing follows that a question would not tell better.
    notice.number.clear();
  } else {
    read_payment(notice.answer, form);
    notice.answer.provider_ref = at(form, "trade_no");
  }
  if (at(form, "app_id") != app_id)
    notice.answer.misfit = "the notice is about application " + at(form, "app_id").substr(0, 32);
  if (!seller.empty() && at(form, "seller_id") != seller)
    notice.answer.misfit = "the notice is about seller " + at(form, "seller_id").substr(0, 32);
  return notice;
}

}  // namespace payonce::alipay
