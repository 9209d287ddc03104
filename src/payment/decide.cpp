#include "payment/decide.h"

#include "base/overloaded.h"
#include "payment/rules.h"

namespace payonce {

Decision decide(Situation const& situation, Command const& command, Terms const& terms, Time now) {
  Order const* const order = situation.order;
  return std::visit(
      Overloaded{
          [&](RegisterOrder const& it) { return register_order(order, it, terms, now); },
          [&](BeginAttempt const& it) { return begin_attempt(situation, it, terms, now); },
          [&](RecordOutcome const& it) { return record_outcome(order, it, terms, now); },
          [&](ApplyNotice const& it) { return apply_notice(situation, it, terms, now); },
          [&](CancelAttempt const& it) { return cancel_attempt(order, it, terms, now); },
          [&](CloseOrder const& it) { return close_order(order, it, now); },
          [&](ExpireOrder const& it) { return expire_order(order, it, terms, now); },
          [&](TakeUpAttempt const& it) { return take_up_attempt(order, it, terms, now); },
          [&](BeginRefund const& it) { return begin_refund(situation, it, terms, now); },
          [&](TakeUpRefund const& it) { return take_up_refund(order, it, terms, now); },
          [&](RecordRefundOutcome const& it) { return record_refund_outcome(order, it, terms, now); },
          [&](BeginCapture const& it) { return begin_capture(situation, it, terms, now); },
          [&](TakeUpCapture const& it) { return take_up_capture(order, it, terms, now); },
          [&](RecordCaptureOutcome const& it) { return record_capture_outcome(order, it, terms, now); },
          [&](RecordOfflinePayment const& it) { return record_offline_payment(situation, it, terms, now); },
      },
      command);
}

}  // namespace payonce
