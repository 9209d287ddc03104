#include "http/message.h"

namespace payonce {

JsonObject message_object(Message const& message) {
  JsonObject object;
  object.put("en", message.en);
  object.put("zh", message.zh);
  return object;
}

Message message_for(AttemptState state) {
  switch (state) {
    case AttemptState::processing:
    case AttemptState::unknown:
      return {"Confirming your payment. Please do not pay again.", "支付结果确认中，请勿重复付款。"};
    case AttemptState::requires_action:
      return {"Please finish this payment at your bank or in your wallet.", "请在银行或钱包中完成本次支付。"};
    case AttemptState::authorized:
      return {"Your payment is authorized. The shop takes the money when it is due.",
              "支付已授权，商家将在需要时扣款。"};
    case AttemptState::released:
      return {"This payment was replaced. Should money still be taken, it is returned.",
              "本次支付已被替换。如仍被扣款，将自动退回。"};
    case AttemptState::succeeded: return {"Payment received. Thank you.", "支付成功，谢谢。"};
    case AttemptState::failed:
      return {"The payment was refused and nothing was charged. You may try again.",
              "支付被拒绝，未扣款，可以重新支付。"};
    case AttemptState::canceled: return {"The payment was canceled and nothing was charged.", "支付已取消，未扣款。"};
    case AttemptState::disputed:
      return {"Your bank is looking into this payment. Please do not pay again.",
              "银行正在核查本次支付，请勿重复付款。"};
    case AttemptState::reversed:
      return {"The money of this payment went back to you. Please ask the shop.", "本次支付款项已退回，请联系商家。"};
  }
  return {};
}

Message message_for(CaptureState state) {
  switch (state) {
    case CaptureState::processing:
    case CaptureState::unknown: return {"The money is being taken.", "扣款处理中。"};
    case CaptureState::succeeded: return {"The money was taken. Thank you.", "扣款成功，谢谢。"};
    case CaptureState::failed: return {"The money could not be taken.", "扣款未成功。"};
  }
  return {};
}

Message message_for(RefundState state) {
  switch (state) {
    case RefundState::processing:
    case RefundState::unknown:
      return {"Your refund is on its way. There is no need to ask for it again.", "退款处理中，请勿重复申请。"};
    case RefundState::succeeded:
      return {"Your refund is done. The money goes back the way it came.", "退款成功，款项将原路退回。"};
    case RefundState::failed:
    case RefundState::returned:
      return {"The refund did not go through. The shop is looking after it.", "退款未成功，商家将为您处理。"};
  }
  return {};
}

}  // namespace payonce
