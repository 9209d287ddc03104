#include "payment/decide.h"

#include "base/overloaded.h"
#include "payment/rules.h"

namespace payonce {

Decision decide(const Situation& situation, const Command& command, const Terms& terms, Time now) {
  const Order* const order = situation.order;
  return std::visit(
      Overloaded{
          [&](const RegisterOrder& it) { return register_order(order, it, now); },
          [&](const BeginAttempt& it) { return begin_attempt(situation, it, terms, now); },
          [&](const RecordOutcome& it) { return record_outcome(order, it, terms, now); },
          [&](const ApplyNotice& it) { return apply_notice(situation, it, terms, now); },
          [&](const CancelAttempt& it) { return cancel_attempt(order, it, terms, now); },
          [&](const CloseOrder& it) { return close_order(order, it, now); },
          [&](const TakeUpAttempt& it) { return take_up_attempt(order, it, terms, now); },
          [&](const TakeUpRefund& it) { return take_up_refund(order, it, terms, now); },
          [&](const RecordRefundOutcome& it) { return record_refund_outcome(order, it, terms, now); },
          [&](const RecordOfflinePayment& it) { return record_offline_payment(situation, it, terms, now); },
      },
      command);
}

}  // namespace payonce
