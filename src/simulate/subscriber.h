// A reader of the event feed who asks any node, and always for what lies behind the last event that came. Whatever the
// books hold before that must have come.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulate/town.h"

namespace payonce::simulate {

class Subscriber {
 public:
  explicit Subscriber(Town town) : town_(town) {}
  Subscriber(Subscriber const&) = delete;
  Subscriber& operator=(Subscriber const&) = delete;

  // From now on, several times a second.
  void follow();
  // How what came differs from what the books have, as far as it has come; nothing if it does not.
  std::optional<std::string> what_it_missed(Reader& books) const;

 private:
  struct Seen {
    std::int64_t sequence;
    std::string what;
  };
  static Seen seen(StoredEvent const& event);
  std::int64_t cursor() const { return seen_.empty() ? 0 : seen_.back().sequence; }
  void ask();

  Town town_;
  std::vector<Seen> seen_;
};

}  // namespace payonce::simulate
