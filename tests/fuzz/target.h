// The parsers of bytes from outside, each as something that any bytes can be thrown at. Whoever throws (fuzz_test.cpp
// for seconds, libfuzzer.cpp for hours) looks for crashes and for FuzzFinding.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace payonce::test {

// What a target promises did not hold for these bytes.
struct FuzzFinding : std::logic_error {
  using std::logic_error::logic_error;
};

inline void promise(bool holds, char const* what) {
  if (!holds) throw FuzzFinding(what);
}

struct FuzzTarget {
  std::string name;
  std::function<void(std::string_view bytes)> run;
  // Where to start from: inputs that get far.
  std::vector<std::string> seeds;
  // How many inputs by chance it gets within the unit tests; fewer where each costs a signature or a commit.
  int inputs = 20'000;
};

std::span<FuzzTarget const> fuzz_targets();

// By file: parser_targets.cpp, provider_targets.cpp, api_target.cpp.
std::vector<FuzzTarget> parser_targets();
std::vector<FuzzTarget> provider_targets();
FuzzTarget api_target();

}  // namespace payonce::test
