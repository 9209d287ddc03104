// Says once that the database is away and once that it is back, not with every batch in between.
#pragma once

#include <spdlog/spdlog.h>

#include <string_view>
#include <utility>

namespace payonce {

class Outage {
 public:
  // `who` names the side of the database that is asked, e.g. "writing".
  explicit Outage(std::string_view who) : who_(who) {}

  void is_away(std::string_view why) {
    if (!std::exchange(is_away_, true)) spdlog::error("database unavailable for {}: {}", who_, why);
  }
  void is_back() {
    if (std::exchange(is_away_, false)) spdlog::warn("database available again for {}", who_);
  }

 private:
  std::string_view who_;
  bool is_away_ = false;
};

}  // namespace payonce
