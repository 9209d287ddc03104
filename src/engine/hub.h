// Tells those who wait for an attempt that it changed. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>

#include "payment/order.h"

namespace payonce {

class Hub {
 public:
  using Listener = std::function<void(Attempt const&)>;
  struct Ticket {
    AttemptId attempt;
    std::uint64_t number = 0;
  };

  // Calls the listener at every publish for the attempt until unlisten(). A listener may unlisten itself and others.
  Ticket listen(AttemptId const& attempt, Listener listener);
  void unlisten(Ticket const& ticket);
  void publish(Attempt const& attempt);

  std::size_t listeners() const { return count_; }

 private:
  std::unordered_map<AttemptId, std::map<std::uint64_t, Listener>> by_attempt_;
  std::uint64_t last_number_ = 0;
  std::size_t count_ = 0;
};

}  // namespace payonce
