#include "sandbox/bill.h"

#include <fmt/format.h>

namespace payonce::sandbox {

namespace {

BillLine line_of(Charge const& charge, std::string const& id, std::int64_t amount_minor, Time at) {
  return {.id = id,
          .charge_id = charge.id,
          .number = charge.number,
          .refund_number = {},
          .order = charge.order,
          .currency = charge.currency,
          .amount_minor = amount_minor,
          .fee_minor = fee_of(amount_minor),
          .at = at};
}

}  // namespace

std::vector<BillLine> bill_of(Bank const& bank, std::string_view dialect, Time from, Time until) {
  std::vector<BillLine> lines;
  auto const is_of_the_day = [&](Time at) { return at >= from && at < until; };
  for (Charge const& charge : bank.charges()) {
    bool const moved_at_once = charge.state == ChargeState::succeeded && !charge.hold_until;
    if (moved_at_once && charge.dialect == dialect && is_of_the_day(charge.created_at))
      lines.push_back(line_of(charge, charge.id, charge.amount_minor, charge.created_at));
  }
  for (Capture const& capture : bank.captures()) {
    Charge const charge = bank.query(capture.charge_number).charge;
    if (capture.state == CaptureState::succeeded && charge.dialect == dialect && is_of_the_day(capture.created_at))
      lines.push_back(line_of(charge, capture.id, capture.amount_minor, capture.created_at));
  }
  for (Refund const& refund : bank.refunds()) {
    Charge const charge = bank.query(refund.charge_number).charge;
    if (refund.state != RefundState::succeeded || charge.dialect != dialect || !is_of_the_day(refund.created_at))
      continue;
    BillLine line = line_of(charge, refund.id, refund.amount_minor, refund.created_at);
    line.is_refund = true;
    line.refund_number = refund.number;
    line.fee_minor = -line.fee_minor;
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string bill_csv(std::vector<BillLine> const& lines) {
  std::string text = "kind,id,charge_id,number,refund_number,amount,currency,fee,at\n";
  for (BillLine const& it : lines)
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", it.is_refund ? "refund" : "payment", it.id, it.charge_id,
                        it.number, it.refund_number, it.amount_minor, it.currency, it.fee_minor, to_rfc3339(it.at));
  return text + fmt::format("end,{},,,,,,,\n", lines.size());
}

std::optional<Time> parse_day(std::string_view text) {
  auto const midnight = parse_rfc3339(std::string{text} + "T00:00:00Z");
  if (!midnight || to_rfc3339(*midnight).substr(0, 10) != text) return std::nullopt;
  return *midnight;
}

}  // namespace payonce::sandbox
