// What a buyer is told about an order, and what the buyer may do: the one place that decides both, for the browser's
// JSON and for the page alike. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/checkout_settings.h"
#include "http/checkout_token.h"
#include "http/message.h"
#include "payment/order.h"

namespace payonce {

// How things stand for the buyer.
enum class Situation {
  ready,       // nothing is under way: the buyer may pay
  confirming,  // money may be moving; nobody knows yet, and nothing may be begun
  action,      // the buyer has to act at the provider
  closing,     // a payment that only its buyer can make is being given up, and until there is proof nothing is begun
  paid,
  refunded,  // all of it went back
  disputed,  // paid, and the payer's bank has taken the money back until the dispute is decided
  reversed,  // paid, and the money was taken back for good
  closed,    // by the shop
  expired,   // nothing is under way, and the token is too old to begin anything
};
std::string_view to_text(Situation situation);
// Whether the outcome of a payment is open.
constexpr bool is_open(Situation situation) {
  return situation == Situation::confirming || situation == Situation::action || situation == Situation::closing;
}
// Whether there is a way to the provider for the buyer to go.
constexpr bool waits_for_buyer(Situation situation) {
  return situation == Situation::action || situation == Situation::closing;
}

struct CheckoutView {
  Situation situation = Situation::ready;
  Message message;
  // What the buyer would accept by paying now: the number of the try, what the order costs, and whether the live
  // payment is given up for it. The browser sends it back; a try is begun once, and not at all if the order costs
  // something else by then.
  std::string offer;
  std::vector<CheckoutMethod> methods;  // to choose from, none that is live already; empty unless the buyer may pay
  std::optional<Attempt> attempt;       // the live one; else the one that paid; else the latest
  CheckoutMethod::Action action = CheckoutMethod::Action::redirect;  // of a live attempt's action_url
  std::string method_name_en;
  std::string method_name_zh;
  bool may_cancel = false;
  std::int64_t refunded_minor = 0;
};

CheckoutView view_of(Order const& order, CheckoutGrant const& grant, CheckoutSettings const& settings, Time now);

// As GET /checkout/{token}/state answers it. Equal views have equal versions, whenever they are taken.
struct CheckoutState {
  std::string version;
  std::string json;
};
CheckoutState render_state(Order const& order, CheckoutView const& view, CheckoutGrant const& grant, Time now);

// What an offer says; nothing if it is none.
struct Offer {
  int number = 0;
  std::int64_t amount_minor = 0;
  std::string currency;
  bool replaces = false;  // the live payment, which only its buyer can make
};
std::optional<Offer> parse_offer(std::string_view text);
// The idempotency key of the order's n-th try from a checkout. It is a function of both, so that two tabs, two devices
// and a page without memory can only ask for the same payment.
std::string checkout_key(OrderId const& order, int number);

}  // namespace payonce
