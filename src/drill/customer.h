// Whoever calls the service: buyer, shop, support. Remembers what they were told, so that it can be held against the
// bank's ledger at the end.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "drill/backstage.h"

namespace payonce::drill {

inline constexpr std::int64_t order_amount = 1999;

// An answer of the service, or none.
struct Told {
  int status = 0;  // 0: the connection broke before the answer was complete
  std::string body;
  bool is_replay = false;
  boost::json::value json;

  // The text at a pointer such as "/state"; empty if there is none.
  std::string text(std::string_view pointer) const;
  std::string payment_id() const { return text("/id"); }
  std::string state() const { return text("/state"); }
  std::string code() const { return text("/code"); }
  // Refused since this payment of the order may still charge.
  bool is_refused_for(std::string_view live_payment_id) const;
};

struct PayRequest {
  std::string key;
  std::string order = "order-1";
  std::optional<std::int64_t> amount = {};
  std::string prefer = {};  // e.g. "wait=0"
  std::string part = {};
  bool replaces = false;
};

// How an order is registered, beside its id and amount.
struct OrderTerms {
  bool is_split = false;
  bool is_held = false;  // its money is held first, and captured by the shop
  std::optional<Time> expires_at = {};
  bool replaces = false;
};

struct RefundRequest {
  std::string key;
  std::string payment_id;
  std::int64_t amount = 0;
  std::string reason = "returned";
  std::string prefer = {};
};

struct CaptureRequest {
  std::string key;
  std::string payment_id;
  std::int64_t amount = 0;
  std::string prefer = {};
};

class Customer {
 public:
  // `service_url` tells where a request goes, by its turn: 0, 1, … `method` is the method of all payments.
  Customer(Backstage& backstage, std::string_view method, std::function<std::string(int turn)> service_url)
      : backstage_(backstage), method_(method), service_url_(std::move(service_url)) {}

  void use_key(std::string api_key) { api_key_ = std::move(api_key); }

  Told register_order(std::string const& order, std::int64_t amount = order_amount, OrderTerms const& terms = {});
  Told look_at_order(std::string const& order);
  Told look_at_payment(std::string const& id, int wait_s = 0);
  Told book_offline(std::string const& order, std::string const& key);

  Told refund(RefundRequest const& request) { return hear(backstage_.call(refund_call_for(request))); }
  Told look_at_refund(std::string const& id, int wait_s = 0);

  Told capture(CaptureRequest const& request) { return hear(backstage_.call(capture_call_for(request))); }
  Told look_at_capture(std::string const& id, int wait_s = 0);
  std::vector<Told> capture_all_at_once(std::vector<CaptureRequest> const& requests);

  // Presses the button, and pays on the provider's page if sent there: how it has ended, under the status of the press.
  Told pay(PayRequest const& request) { return follow(press(request)); }
  // The answer to the press alone.
  Told press(PayRequest const& request) { return hear(backstage_.call(call_for(request))); }
  // What an answer that sends the buyer to the provider's page comes to.
  Told follow(Told told);
  // Presses and does not wait for the outcome.
  Told pay_without_waiting(std::string key, std::string order = "order-1");
  std::vector<Told> pay_all_at_once(std::vector<PayRequest> const& requests);
  std::vector<Told> refund_all_at_once(std::vector<RefundRequest> const& requests);
  // Presses the button until the order is paid: asks again under the same key, and takes a new one only when told that
  // the payment has ended without money. This is what a page written by the reference does.
  void insist(std::string const& key, std::string const& order = "order-1");

  // For requests that go their own way.
  HttpCall call_for(PayRequest const& request);
  HttpCall refund_call_for(RefundRequest const& request);
  HttpCall capture_call_for(CaptureRequest const& request);
  HttpCall cancel_call_for(std::string const& payment_id);
  Told hear(HttpAnswer answer);

  // Payments that somebody was told had failed or been canceled.
  std::set<std::string> const& told_without_charge() const { return told_without_charge_; }
  // Every answer with a status from 500 on.
  std::vector<std::string> const& server_errors() const { return server_errors_; }

 private:
  HttpCall call(int turn, std::string method, std::string const& path, std::string body = {}) const;
  // The first request under the first key goes to the first node, its repeat to the second, and so on; the first
  // request under the second key goes to the second.
  int turn_of(std::string const& key);
  void remember(boost::json::value const& payment);
  std::vector<Told> ask_all_at_once(std::vector<HttpCall> calls);

  Backstage& backstage_;
  std::string const method_;
  std::function<std::string(int)> service_url_;
  std::map<std::string, int> next_turns_;  // by key
  int looks_ = 0;
  std::string api_key_;
  std::set<std::string> told_without_charge_;
  std::vector<std::string> server_errors_;
};

}  // namespace payonce::drill
