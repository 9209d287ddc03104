// Tells those who wait for an attempt or a refund that it changed. Loop thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace payonce {

template <class Row>
class Hub {
 public:
  using Id = decltype(Row::id);
  using Listener = std::function<void(Row const&)>;
  struct Ticket {
    Id id;
    std::uint64_t number = 0;
  };

  // Calls the listener at every publish for the row until unlisten(). A listener may unlisten itself and others.
  Ticket listen(Id const& id, Listener listener) {
    by_id_[id].emplace(++last_number_, std::move(listener));
    ++count_;
    return {id, last_number_};
  }

  void unlisten(Ticket const& ticket) {
    auto const at = by_id_.find(ticket.id);
    if (at == by_id_.end()) return;
    count_ -= at->second.erase(ticket.number);
    if (at->second.empty()) by_id_.erase(at);
  }

  void publish(Row const& row) {
    auto const at = by_id_.find(row.id);
    if (at == by_id_.end()) return;
    // Copies, since a listener usually leaves while it is being told.
    std::vector<Listener> listeners;
    for (auto const& [number, listener] : at->second) listeners.push_back(listener);
    for (auto const& listener : listeners) listener(row);
  }

  std::size_t listeners() const { return count_; }

 private:
  std::unordered_map<Id, std::map<std::uint64_t, Listener>> by_id_;
  std::uint64_t last_number_ = 0;
  std::size_t count_ = 0;
};

}  // namespace payonce
