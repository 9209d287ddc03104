// The closed list of things that can go wrong, and the result type that carries them.
// Not for: HTTP statuses (http/problem.h) or what a provider said (payment/outcome.h).
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace payonce {

// Stable: the text of a code is part of the HTTP interface and is never reused for another meaning.
// A code exists only if a caller can react to it in its own way.
enum class ErrorCode {
  invalid_request,          // a field is missing, malformed or out of its limits; `field` names it
  invalid_json,             // the body is not a JSON object
  unknown_field,            // the body holds a field this interface does not have
  idempotency_key_missing,  // a request that moves money came without Idempotency-Key
  idempotency_key_invalid,  // the header is empty, repeated, malformed or too long
  idempotency_key_reused,   // the key belongs to a request with other content; `field` names the difference
  request_in_progress,      // Prefer: handling=strict, and the first request of this key still runs
  unauthorized,             // no API key, or one we do not know
  forbidden,                // the API key is good, but not for this
  not_found,                // no such resource for this merchant
  method_not_allowed,
  payload_too_large,
  unsupported_media_type,
  amount_mismatch,         // amount or currency differ from the order's
  order_conflict,          // the order is registered with other content and can't be changed now
  order_has_live_payment,  // another attempt may still charge; the answer carries it
  order_already_paid,
  order_closed,
  payment_not_cancelable,   // it has ended already
  payment_not_refundable,   // it brought no money, goes back by itself, or can't go back through its provider
  refund_exceeds_captured,  // more than is left of the payment; the text says how much that is
  refund_in_progress,       // the same refund under another key has not ended yet
  payment_not_capturable,   // its money is not held, or is just being let go
  capture_exceeds_held,     // more than is left of the hold; the text says how much that is
  capture_in_progress,      // another capture of the payment has not ended yet
  provider_unknown,         // no provider of this name is configured for the merchant
  evidence_refused,         // this kind of evidence can't prove that outcome
  signature_invalid,        // a notice whose signature does not fit its bytes
  overloaded,               // shed before anything was done; try again later
  unavailable,              // the database can't be reached; nothing was done, or it will be found by the same key
  internal,                 // a bug of ours
};

// The stable snake_case text, as in problem+json `code`.
std::string_view to_text(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string detail;      // a sentence for the developer: what, where, what to do; never a secret
  std::string field = {};  // the request field concerned, or empty
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorCode code, std::string detail, std::string field = {}) {
  return std::unexpected(Error{code, std::move(detail), std::move(field)});
}

}  // namespace payonce
