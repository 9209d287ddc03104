// One request on its way to its answer, and the way to answer it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/named.h"
#include "net/http_message.h"
#include "net/url.h"
#include "payment/decision.h"

namespace payonce {

struct Exchange {
  HttpRequest request;
  Respond respond;
  Target target;
  std::string request_id;  // the caller's X-Request-Id if it sent a usable one, else ours; goes into log and answer
  std::string_view route = "none";  // the pattern that matched, for metrics

  // How long the caller wants to wait for an outcome.
  Millis wait{0};
  bool is_answered = false;

  // Set once the API key is known.
  MerchantId merchant;
  std::string actor;  // the key's name

  // The part of the path that stands for the pattern's n-th {}.
  std::string const& segment(std::size_t index) const { return target.segments[index]; }
};
using ExchangePtr = std::shared_ptr<Exchange>;

// Answers with JSON. `headers` go in front of ours.
void respond_json(Exchange& exchange, int status, std::string body, HttpHeaders headers = {});

// Answers with application/problem+json (RFC 9457).
void respond_problem(Exchange& exchange, Error const& error, Refusal const* refusal = nullptr);
// With the payment that stands in the way, if the refusal names one.
void respond_refusal(Exchange& exchange, Refusal const& refusal);

// The same without an exchange: for requests that reach no handler.
HttpResponse problem_response(int status, Error const& error, std::string_view request_id,
                              Refusal const* refusal = nullptr);

// The HTTP status of an error.
int http_status(ErrorCode code);

}  // namespace payonce
