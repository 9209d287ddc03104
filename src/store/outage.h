// Says once that the database is away and once that it is back, not with every batch in between.
#pragma once

#include <string_view>

namespace payonce {

class Outage {
 public:
  // `who` names the side of the database that is asked, e.g. "writing".
  explicit Outage(std::string_view who) : who_(who) {}

  void is_away(std::string_view why);
  void is_back();

 private:
  std::string_view who_;
  bool is_away_ = false;
};

}  // namespace payonce
