// Stripe's API over the bank: payment intents, refunds, balance transactions, idempotency keys and signed events.
// Source: docs.stripe.com/api. Not for: the shape of the objects (objects.h) or of errors (wire.h).
#pragma once

#include <functional>
#include <string>

#include "sandbox/bill.h"
#include "sandbox/dialect.h"
#include "sandbox/keys/merchant_keys.h"
#include "sandbox/stripe/kept_answers.h"
#include "sandbox/stripe/objects.h"
#include "sandbox/stripe/test_methods.h"
#include "sandbox/stripe/wire.h"

namespace payonce::sandbox::stripe {

class StripeDialect final : public Dialect {
 public:
  // `notify_url` empty: no events are sent.
  StripeDialect(DialectParts parts, StripeKeys keys, std::string notify_url);

  std::string_view name() const override { return "stripe"; }
  bool understands(HttpRequest const& request, Target const& target) const override;
  void handle(HttpRequest const& request, Target const& target, Respond respond) override;

  std::string account() const override { return "acct_sandbox"; }
  std::string url(NoticeFacts const&) const override { return notify_url_; }
  std::string body(NoticeFacts const& facts, bool wrong_signature) const override;
  HttpHeaders headers(std::string const& body, bool wrong_signature) const override;

 private:
  // A request taken apart.
  struct Asked {
    Call call;
    std::string key;          // of Idempotency-Key, or empty
    std::string fingerprint;  // of everything that must be the same under the key
    Parameters parameters;
  };
  using Operation = std::function<HttpResponse(Injection)>;
  // An intent and the charge behind it; `record` is empty if there is none.
  struct Intent {
    IntentRecord record;
    Charge charge;
    std::string number() const { return std::string{record.at("number").as_string()}; }
  };

  void handle_post(Asked asked, std::vector<std::string> const& path, Respond respond);
  void handle_get(Target const& target, Respond respond);
  void serve(Asked asked, std::string number, Operation operation, Respond respond);
  // What the bank is to call something asked for under this key: the merchant's own number, if that is the key.
  std::string bank_number(std::string const& key);
  std::string order_of(std::string const& number, Parameters const& parameters) const;

  // intent_calls.cpp
  void create_intent(Asked asked, Respond respond);
  void continue_intent(Asked asked, std::string const& id, std::string_view verb, Respond respond);
  HttpResponse create(std::string const& number, Parameters const& parameters, Injection injection);
  HttpResponse confirm(Intent intent, Parameters const& parameters, Injection injection);
  HttpResponse capture(Intent intent, std::string const& number, Parameters const& parameters, Injection injection);
  HttpResponse cancel(Intent intent, Parameters const& parameters, Injection injection);
  HttpResponse decline(Intent intent, TestMethod const& method, Injection injection);
  HttpResponse unexpected_state(Intent const& intent) const;
  Intent find_intent(std::string_view id) const;
  void keep(Intent const& intent);
  HttpResponse answer(Intent const& intent, Injection injection) const;

  // refund_calls.cpp
  void create_refund(Asked asked, Respond respond);
  HttpResponse refund(std::string const& number, Intent const& intent, std::int64_t amount_minor,
                      Parameters const& parameters, Injection injection);
  boost::json::object refund_json(Refund const& refund, Fault fault) const;

  // list_calls.cpp
  void list_intents(Target const& target, Respond respond);
  void list_refunds(Target const& target, Respond respond);
  void list_balance(Target const& target, Respond respond);
  boost::json::value source_of(BillLine const& line) const;

  DialectParts const parts_;
  StripeKeys const keys_;
  std::string const notify_url_;
  KeptAnswers answers_;
};

}  // namespace payonce::sandbox::stripe
