// What PayPal's answers and objects mean. Not for: sending (paypal_provider.cpp) or the codes themselves (codes.h).
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "payment/command.h"
#include "payment/decision.h"

namespace payonce::paypal {

std::optional<boost::json::object> parse_object(std::string const& body);

// A refund's custom_id names its payment too, since its notices name nothing else of ours.
std::string refund_mark(AttemptId const& attempt, RefundId const& refund);
struct Mark {
  std::string payment;
  std::string refund;
};
Mark parse_mark(std::string_view custom_id);

// The address of a link of an object, such as "up" to what it was made of; empty if there is none.
std::string link_in(boost::json::object const& object, std::string_view rel);
// The object's amount; nothing if it can't be read exactly.
std::optional<Money> amount_in(boost::json::object const& object);

// What the order says as it stands. `settled_by`: after it, what was not captured never will be.
Answer read_order(boost::json::object const& order, Time now, Time settled_by);
Answer read_capture(boost::json::object const& capture);
Answer read_refund(boost::json::object const& refund);

// Longer than any call of ours and its stay inside PayPal, and than two clocks are apart.
inline constexpr std::chrono::minutes settling{10};
// After it no capture of ours can be under way any more: we make none after the payment's time is over.
Time settled_by(Attempt const& attempt);

// The order that an answer is, if it is that of this payment.
std::optional<boost::json::object> order_in(HttpAnswer const& answer, AttemptId const& id);
// The meaning of a complete answer to `call`, or to its step that moves money.
Answer classify(ProviderCall const& call, HttpAnswer const& answer, Time now);

}  // namespace payonce::paypal
