// Refunds by the merchant's own number within a trade.
#include <boost/json.hpp>

#include "sandbox/alipay/alipay_dialect.h"
#include "sandbox/beijing.h"

namespace payonce::sandbox::alipay {

CallResult AlipayDialect::refund(Asked const& asked, Injection injection) {
  Trade const trade = find(asked);
  if (!trade.exists()) return failed("ACQ.TRADE_NOT_EXIST");
  auto const fen = parse_yuan(asked.text("refund_amount"));
  if (!fen) return failed("ACQ.INVALID_PARAMETER");
  std::string number = asked.text("out_request_no");
  if (number.empty()) number = trade.charge.number;
  Bank& bank = parts_.ledger.bank();
  RefundReply const known = bank.query_refund(number);
  if (known.verdict == Verdict::done && known.refund.amount_minor != *fen)
    return failed("ACQ.DISCORDANT_REPEAT_REQUEST");
  bool const is_new = known.verdict == Verdict::not_found;
  if (is_new && !trade.is_paid()) return failed("ACQ.TRADE_STATUS_ERROR");
  if (is_new && bank.refundable(trade.charge.number) == 0) return failed("ACQ.TRADE_HAS_CLOSE");
  if (is_new && *fen > bank.refundable(trade.charge.number)) return failed("ACQ.REASON_TRADE_REFUND_FEE_ERR");
  RefundReply const reply = bank.refund({.number = number,
                                         .charge_number = trade.charge.number,
                                         .amount_minor = *fen,
                                         .currency = trade.charge.currency,
                                         .reason = asked.text("refund_reason"),
                                         .forced_decline = injection.fault == Fault::decline},
                                        parts_.clock.now());
  if (reply.verdict != Verdict::done) return failed("ACQ.DISCORDANT_REPEAT_REQUEST");
  if (reply.refund.state == RefundState::declined) return failed("ACQ.TRADE_NOT_ALLOW_REFUND");

  CallResult result{.fields = trade_fields(trade)};
  // The sum of all refunds of the trade, not the amount of this one.
  result.fields["refund_fee"] = to_yuan(trade.charge.amount_minor - bank.refundable(trade.charge.number));
  result.fields["fund_change"] = is_new && injection.fault != Fault::in_progress ? "Y" : "N";
  result.fields["gmt_refund_pay"] = to_beijing(reply.refund.created_at);
  result.fields["buyer_logon_id"] = "san***@sandbox.example";
  return result;
}

// What is not done is not mentioned: no status is not a failure.
CallResult AlipayDialect::query_refund(Asked const& asked, Injection injection) {
  Trade const trade = find(asked);
  if (!trade.exists()) return failed("ACQ.TRADE_NOT_EXIST");
  std::string const number = asked.text("out_request_no");
  if (number.empty()) return failed("ACQ.INVALID_PARAMETER");
  RefundReply const known = parts_.ledger.bank().query_refund(number);
  CallResult result;
  bool const is_done = known.verdict == Verdict::done && known.refund.state == RefundState::succeeded &&
                       known.refund.charge_number == trade.charge.number;
  if (!is_done || injection.fault == Fault::in_progress) return result;
  result.fields = trade_fields(trade);
  result.fields["out_request_no"] = number;
  result.fields["refund_amount"] = to_yuan(known.refund.amount_minor);
  result.fields["total_amount"] = to_yuan(trade.charge.amount_minor);
  result.fields["refund_status"] = injection.fault == Fault::nonsense_json ? "SIDEWAYS" : "REFUND_SUCCESS";
  return result;
}

}  // namespace payonce::sandbox::alipay
