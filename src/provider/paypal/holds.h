// What an order says about money that is held: its authorization, the captures of it, and which of them a refund is of.
// Not for: orders whose money is taken at once (classify.h).
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "payment/command.h"
#include "payment/order.h"

namespace payonce::paypal {

// Whether the order holds its money instead of taking it.
bool holds(boost::json::object const& order);

// The order's authorization; null while there is none.
boost::json::object const* authorization_in(boost::json::object const& order);
// A new authorization by itself.
Answer read_authorization(boost::json::object const& authorization);
// How the payment stands, once there is an authorization.
Answer read_hold(boost::json::object const& order, Time now);
// A capture of money that was held.
Answer read_held_capture(boost::json::object const& capture);
// The one under our number, or that there is none.
Answer read_capture_of(boost::json::object const& order, CaptureId const& id);
// Whether a capture, as PayPal's events have it, is of money that was held.
bool is_of_hold(boost::json::object const& capture);

// What a refund is to be of.
struct RefundTarget {
  std::string capture_id;  // empty: no single capture has as much left
  // Under which PayPal knows the refund again: it may be of one of several captures, but of the same one every time.
  std::string request_id;
};
bool has_captures(boost::json::object const& order);
RefundTarget target_of(boost::json::object const& order, Refund const& refund);
// The refund under our number; null if the order shows none.
boost::json::object const* refund_in(boost::json::object const& order, RefundId const& id);

}  // namespace payonce::paypal
