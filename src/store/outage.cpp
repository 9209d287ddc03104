#include "store/outage.h"

#include <utility>

#include "base/log.h"

namespace payonce {

void Outage::is_away(std::string_view why) {
  if (!std::exchange(is_away_, true)) log_error("database unavailable for {}: {}", who_, why);
}

void Outage::is_back() {
  if (std::exchange(is_away_, false)) log_warn("database available again for {}", who_);
}

}  // namespace payonce
