// The targets as libFuzzer calls them: PAYONCE_FUZZ_TARGET names the one. Built by the preset `asan` alone.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/target.h"

namespace {

payonce::test::FuzzTarget const& chosen_target() {
  char const* const name = std::getenv("PAYONCE_FUZZ_TARGET");
  auto const targets = payonce::test::fuzz_targets();
  auto const at = std::ranges::find(targets, name ? std::string{name} : "", &payonce::test::FuzzTarget::name);
  if (at != targets.end()) return *at;
  std::fputs("PAYONCE_FUZZ_TARGET must be one of:", stderr);
  for (auto const& target : targets) std::fprintf(stderr, " %s", target.name.c_str());
  std::fputs("\n", stderr);
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t size) {
  static payonce::test::FuzzTarget const& target = chosen_target();
  target.run({reinterpret_cast<char const*>(bytes), size});
  return 0;
}
