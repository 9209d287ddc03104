#include "simulate/subscriber.h"

#include <fmt/format.h>

namespace payonce::simulate {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t page = 50;
constexpr Millis pause = 200ms;
constexpr Millis calm_pause = 5s;

}  // namespace

Subscriber::Seen Subscriber::seen(StoredEvent const& it) {
  return {it.sequence, fmt::format("{} {} {}", it.event.key.order.value, it.event.attempt.value, it.event.type)};
}

void Subscriber::follow() {
  town_.stage.after(town_.stage.is_calm() ? calm_pause : pause, [this] {
    ask();
    follow();
  });
}

void Subscriber::ask() {
  Node& node = town_.some_node(Chronicle::everyone);
  if (!node.is_up()) return;
  auto const read = [after = cursor()](Reader& reader) {
    return std::pair{after, reader.events_after(simulated_merchant, after, page)};
  };
  node.engine().parts().reads.ask(read, [this](Result<std::pair<std::int64_t, std::vector<StoredEvent>>> answer) {
    // Another node was quicker, or this one can't read now.
    if (!answer || answer->first != cursor()) return;
    for (StoredEvent const& it : answer->second) seen_.push_back(seen(it));
  });
}

std::optional<std::string> Subscriber::what_it_missed(Reader& books) const {
  std::size_t at = 0;
  for (std::int64_t after = 0; at < seen_.size();) {
    auto const events = books.events_after(simulated_merchant, after, page);
    if (events.empty()) return fmt::format("event {} came and is not in the books", seen_[at].what);
    for (StoredEvent const& it : events) {
      if (at == seen_.size()) break;
      Seen const stored = seen(it);
      if (stored.sequence != seen_[at].sequence || stored.what != seen_[at].what)
        return fmt::format("the feed has a gap: event {} of the books never came, or event {} is none", stored.what,
                           seen_[at].what);
      ++at;
    }
    after = events.back().sequence;
  }
  return std::nullopt;
}

}  // namespace payonce::simulate
