// Between the rules' rows and the bytes of a state. Every field of a row is named in fold.cpp, either carried or left
// out with a reason, so that a new one stops the build until it is said what it means to the proof.
#pragma once

#include "check/scope.h"
#include "check/snapshot.h"
#include "payment/order.h"

namespace payonce::check {

OrderKey const& the_order();
AttemptId const& number_of(std::size_t cell);
RefundId const& refund_number_of(std::size_t cell, std::size_t refund, RefundOrigin origin);
RefundId const& refund_number_of(State const& state, std::size_t cell, std::size_t refund);
// What the provider calls a refund that was made there.
std::string_view outside_refund_number();
CaptureId const& capture_number_of(std::size_t cell, std::size_t capture);
std::string_view part_name(Byte part);
// The place of a payment or refund that is in the state; the number of places if it is not.
std::size_t cell_of(State const& state, AttemptId const& id);
Money amount_of(bool is_other);
std::int64_t half_of(Money amount);

// The rows as they stand at check::now.
Order unfold(State const& state, Scope const& scope);
// Takes the rows over into the state; what is new in them gets a free place. The rest of the state stays. Throws
// std::logic_error when there is no place.
void fold(Order const& order, Scope const& scope, State& state);

}  // namespace payonce::check
