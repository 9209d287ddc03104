// The drill of a shop's own endpoint: effects that come twice, at once, late, out of order and forged, and whether the
// shop would ship twice. Not for: payonce itself (run_drill.h).
#pragma once

#include <string>
#include <vector>

namespace payonce {

struct ShopDrillOptions {
  std::string url;     // where the shop takes effects
  std::string secret;  // raw bytes; what the shop believes to be signed with
  std::string effect = "ship";
  // Orders that the shop knows and has not shipped: three, or none to use made-up ones.
  std::vector<std::string> orders;
  // Where the shop says how often it shipped an order, with {order} for its number; empty: nobody counts.
  std::string count_url;
};

// Prints a line for each thing that was done. Returns 0 only if the shop stands it all.
int drill_shop(ShopDrillOptions const& options);

}  // namespace payonce
