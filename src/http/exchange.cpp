#include "http/exchange.h"

#include "base/json_object.h"
#include "http/wire.h"

namespace payonce {

namespace {

// A short text for people, the same for every problem of this code.
std::string_view title_of(ErrorCode code) {
  using enum ErrorCode;
  switch (code) {
    case invalid_request: return "The request is not valid";
    case invalid_json: return "The body is not a JSON object";
    case unknown_field: return "The body has a field that does not exist";
    case idempotency_key_missing: return "The Idempotency-Key header is missing";
    case idempotency_key_invalid: return "The Idempotency-Key header is not valid";
    case idempotency_key_reused: return "The Idempotency-Key belongs to another request";
    case request_in_progress: return "The first request with this key is still running";
    case unauthorized: return "The API key is missing or unknown";
    case forbidden: return "Not allowed with this API key";
    case not_found: return "Not found";
    case method_not_allowed: return "Method not allowed";
    case payload_too_large: return "The request is too large";
    case unsupported_media_type: return "The body must be application/json";
    case amount_mismatch: return "The amount is not the order's";
    case order_conflict: return "The order is registered with other content";
    case order_has_live_payment: return "Another payment of this order may still charge";
    case order_already_paid: return "The order is paid already";
    case order_closed: return "The order is closed";
    case payment_not_cancelable: return "The payment has ended";
    case payment_not_refundable: return "The payment can't be given back";
    case refund_exceeds_captured: return "More than is left of the payment";
    case refund_in_progress: return "The same refund is under way";
    case payment_not_capturable: return "The payment can't be captured";
    case capture_exceeds_held: return "More than is held by the payment";
    case capture_in_progress: return "Another capture of the payment is under way";
    case provider_unknown: return "No such provider";
    case evidence_refused: return "This evidence can't prove that outcome";
    case signature_invalid: return "The signature does not fit";
    case overloaded: return "Too busy";
    case unavailable: return "The database can't be reached";
    case internal: return "Internal error";
  }
  return "Internal error";
}

// Whether and how the caller may try again.
std::string_view retry_of(ErrorCode code) {
  using enum ErrorCode;
  switch (code) {
    case overloaded:
    case unavailable:
    case internal:
    case request_in_progress:
    // Nothing was stored for these, so that the key is still free once the cause is gone.
    case invalid_request:
    case invalid_json:
    case unknown_field:
    case unauthorized:
    case payload_too_large:
    case unsupported_media_type:
    case amount_mismatch:
    case provider_unknown:
    case not_found:
    case refund_exceeds_captured:
    case refund_in_progress:
    case capture_exceeds_held:
    case capture_in_progress:
    case order_has_live_payment: return "same_key";
    case idempotency_key_missing:
    case idempotency_key_invalid:
    case idempotency_key_reused: return "new_key";
    case forbidden:
    case method_not_allowed:
    case order_conflict:
    case order_already_paid:
    case order_closed:
    case payment_not_cancelable:
    case payment_not_refundable:
    case payment_not_capturable:
    case evidence_refused:
    case signature_invalid: return "none";
  }
  return "none";
}

}  // namespace

int http_status(ErrorCode code) {
  using enum ErrorCode;
  switch (code) {
    case invalid_request:
    case invalid_json:
    case unknown_field:
    case idempotency_key_missing:
    case idempotency_key_invalid: return 400;
    case unauthorized:
    case signature_invalid: return 401;
    case forbidden: return 403;
    case not_found: return 404;
    case method_not_allowed: return 405;
    case request_in_progress:
    case order_conflict:
    case order_has_live_payment:
    case order_already_paid:
    case order_closed:
    case payment_not_cancelable:
    case payment_not_refundable:
    case refund_in_progress:
    case payment_not_capturable:
    case capture_in_progress: return 409;
    case payload_too_large: return 413;
    case unsupported_media_type: return 415;
    case idempotency_key_reused:
    case amount_mismatch:
    case refund_exceeds_captured:
    case capture_exceeds_held:
    case provider_unknown:
    case evidence_refused: return 422;
    case internal: return 500;
    case overloaded:
    case unavailable: return 503;
  }
  return 500;
}

HttpResponse problem_response(int status, Error const& error, std::string_view request_id, Refusal const* refusal) {
  JsonObject problem;
  problem.put("type", "about:blank");
  problem.put("title", title_of(error.code));
  problem.put("status", status);
  problem.put("code", to_text(error.code));
  problem.put("detail", error.detail);
  problem.put("retry", retry_of(error.code));
  if (!error.field.empty()) problem.put("field", error.field);
  if (!request_id.empty()) problem.put("request_id", request_id);
  if (refusal && refusal->live) problem.put_json("payment", payment_json(refusal->order, *refusal->live));
  HttpResponse response;
  response.status = status;
  response.headers = {{"Content-Type", "application/problem+json"}};
  if (status == 503) response.headers.push_back({"Retry-After", "1"});
  if (status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer"});
  response.body = std::move(problem).text();
  return response;
}

void respond_problem(Exchange& exchange, Error const& error, Refusal const* refusal) {
  HttpResponse response = problem_response(http_status(error.code), error, exchange.request_id, refusal);
  response.headers.push_back({"X-Request-Id", exchange.request_id});
  exchange.respond(std::move(response));
}

void respond_refusal(Exchange& exchange, Refusal const& refusal) { respond_problem(exchange, refusal.error, &refusal); }

void respond_json(Exchange& exchange, int status, std::string body, HttpHeaders headers) {
  HttpResponse response;
  response.status = status;
  response.headers = std::move(headers);
  response.headers.reserve(response.headers.size() + 3);
  response.headers.push_back({"Content-Type", "application/json"});
  response.headers.push_back({"X-Request-Id", exchange.request_id});
  response.headers.push_back({"Cache-Control", "no-store"});
  response.body = std::move(body);
  exchange.respond(std::move(response));
}

}  // namespace payonce
