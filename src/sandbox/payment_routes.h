// The bank's interface for merchants, under /v1: reads a request, names the call, leaves the rest to the teller.
#pragma once

#include <string>

#include "base/error.h"
#include "net/http_message.h"
#include "net/url.h"
#include "sandbox/answer.h"
#include "sandbox/ledger.h"
#include "sandbox/teller.h"

namespace payonce::sandbox {

class PaymentRoutes {
 public:
  // All of these must outlive the routes. `api_secret` empty: anyone may call.
  PaymentRoutes(Ledger& ledger, Teller& teller, Clock const& clock, AnswerContext const& context,
                std::string api_secret)
      : ledger_(ledger), teller_(teller), clock_(clock), context_(context), api_secret_(std::move(api_secret)) {}

  // A request whose path begins with /v1.
  void handle(HttpRequest const& request, Target const& target, Respond respond);

 private:
  bool is_authorized(HttpRequest const& request) const;
  void create(HttpRequest const& request, Respond respond);
  void query(std::string const& number, Respond respond);
  void close(std::string const& number, Respond respond);
  void capture(HttpRequest const& request, Respond respond);
  void query_capture(std::string const& number, Respond respond);
  void refund(HttpRequest const& request, Respond respond);
  void query_refund(std::string const& number, Respond respond);
  HttpResponse statement(std::string const& day) const;

  Ledger& ledger_;
  Teller& teller_;
  Clock const& clock_;
  AnswerContext const& context_;
  std::string const api_secret_;
};

}  // namespace payonce::sandbox
