// The verb "cancel a payment", and what needs an order without live payments: at the provider first, with proof, then
// here.
#pragma once

#include "engine/engine.h"

namespace payonce {

// Replies with the attempt as it stands at the end of `wait`: CANCELED, SUCCEEDED ("already paid" wins), or still live.
void cancel(Engine& engine, CancelAttempt command, Millis wait, AnsweredDone done);

// Executes the command. As long as a live payment stands in its way, has that closed at its provider and executes it
// again, until `wait` is over. Refused as the rules refuse: with "already paid" when the money was faster, and with the
// live payment when the provider gave no proof in time; the closing goes on then.
template <class OrderCommand>
void execute_once_free(Engine& engine, OrderCommand command, std::string actor, Millis wait, AnsweredDone done);

extern template void execute_once_free(Engine&, BeginAttempt, std::string, Millis, AnsweredDone);
extern template void execute_once_free(Engine&, RegisterOrder, std::string, Millis, AnsweredDone);
extern template void execute_once_free(Engine&, CloseOrder, std::string, Millis, AnsweredDone);

}  // namespace payonce
