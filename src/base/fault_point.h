// Named places at which the process can be told to die as by kill -9, for drills and crash tests. Off unless a name is
// armed; then the cost of a place that is not the armed one is one comparison.
#pragma once

#include <csignal>
#include <string>
#include <string_view>
#include <utility>

namespace payonce {

class FaultPoints {
 public:
  // The names in use, for the command line's check.
  static constexpr std::string_view names[] = {
      "before_call",   // the attempt is committed, the provider has not been called
      "before_save",   // the provider's answer is here, it has not been saved
      "before_reply",  // the outcome is saved, the caller has not been answered
      "before_ack",    // a notice is worked in, the provider has not been told
  };

  FaultPoints() = default;
  explicit FaultPoints(std::string armed) : armed_(std::move(armed)) {}

  void reach(std::string_view name) const {
    if (!armed_.empty() && armed_ == name) std::raise(SIGKILL);
  }

 private:
  std::string armed_;
};

}  // namespace payonce
