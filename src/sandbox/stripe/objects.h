// Stripe's objects as JSON: payment intents and refunds, each made of what was asked for and of the bank's row. Pure.
// Source: docs.stripe.com/api/payment_intents/object, docs.stripe.com/api/refunds/object.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "sandbox/charge.h"
#include "sandbox/fault.h"

namespace payonce::sandbox::stripe {

// An intent, a charge and a refund carry the same suffix as the bank's row: pi_X is about the charge ch_X.
std::string intent_id(std::string_view charge_id);

// What the sandbox keeps of an intent: the fields that do not follow from the bank's charge, and two of its own:
// "number" (the bank's) and "phase" (the status while the charge waits for its buyer).
using IntentRecord = boost::json::object;

std::string_view intent_status(IntentRecord const& record, Charge const& charge);
// As a caller sees it. `in_progress` and `nonsense_json` replace the status.
boost::json::object intent_object(IntentRecord record, Charge const& charge, Fault fault, std::string_view base_url);

// `record`: the fields that do not follow from the bank's refund: "metadata", "reason".
boost::json::object refund_object(boost::json::object const& record, Refund const& refund, std::string_view charge_id,
                                  Fault fault);

}  // namespace payonce::sandbox::stripe
