#include "fuzz/target.h"

#include <algorithm>
#include <iterator>

namespace payonce::test {

std::span<FuzzTarget const> fuzz_targets() {
  static std::vector<FuzzTarget> const targets = [] {
    std::vector<FuzzTarget> all = parser_targets();
    std::ranges::move(provider_targets(), std::back_inserter(all));
    all.push_back(api_target());
    return all;
  }();
  return targets;
}

}  // namespace payonce::test
