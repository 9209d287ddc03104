#include "engine/hub.h"

#include <vector>

namespace payonce {

Hub::Ticket Hub::listen(AttemptId const& attempt, Listener listener) {
  by_attempt_[attempt].emplace(++last_number_, std::move(listener));
  ++count_;
  return {attempt, last_number_};
}

void Hub::unlisten(Ticket const& ticket) {
  auto const at = by_attempt_.find(ticket.attempt);
  if (at == by_attempt_.end()) return;
  count_ -= at->second.erase(ticket.number);
  if (at->second.empty()) by_attempt_.erase(at);
}

void Hub::publish(Attempt const& attempt) {
  auto const at = by_attempt_.find(attempt.id);
  if (at == by_attempt_.end()) return;
  // Copies, since a listener usually leaves while it is being told.
  std::vector<Listener> listeners;
  for (auto const& [number, listener] : at->second) listeners.push_back(listener);
  for (auto const& listener : listeners) listener(attempt);
}

}  // namespace payonce
