#include "base/error.h"

namespace payonce {

std::string_view to_text(ErrorCode code) {
  using enum ErrorCode;
  switch (code) {
    case invalid_request: return "invalid_request";
    case invalid_json: return "invalid_json";
    case unknown_field: return "unknown_field";
    case idempotency_key_missing: return "idempotency_key_missing";
    case idempotency_key_invalid: return "idempotency_key_invalid";
    case idempotency_key_reused: return "idempotency_key_reused";
    case request_in_progress: return "request_in_progress";
    case unauthorized: return "unauthorized";
    case forbidden: return "forbidden";
    case not_found: return "not_found";
    case method_not_allowed: return "method_not_allowed";
    case payload_too_large: return "payload_too_large";
    case unsupported_media_type: return "unsupported_media_type";
    case amount_mismatch: return "amount_mismatch";
    case order_conflict: return "order_conflict";
    case order_has_live_payment: return "order_has_live_payment";
    case order_already_paid: return "order_already_paid";
    case order_closed: return "order_closed";
    case payment_not_cancelable: return "payment_not_cancelable";
    case payment_not_refundable: return "payment_not_refundable";
    case refund_exceeds_captured: return "refund_exceeds_captured";
    case refund_in_progress: return "refund_in_progress";
    case payment_not_capturable: return "payment_not_capturable";
    case capture_exceeds_held: return "capture_exceeds_held";
    case capture_in_progress: return "capture_in_progress";
    case provider_unknown: return "provider_unknown";
    case evidence_refused: return "evidence_refused";
    case signature_invalid: return "signature_invalid";
    case overloaded: return "overloaded";
    case unavailable: return "unavailable";
    case internal: return "internal";
  }
  return "internal";
}

}  // namespace payonce
