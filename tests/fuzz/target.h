// The parsers of bytes from outside, each as something that any bytes can be thrown at. Whoever throws (fuzz_test.cpp
// for seconds, libfuzzer.cpp for hours) looks for crashes and for FuzzFinding.
#pragma once

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
  std::string_view name;
  void (*run)(std::string_view bytes);
  // Where to start from: inputs that get far.
  std::vector<std::string> seeds;
};

std::span<FuzzTarget const> fuzz_targets();

}  // namespace payonce::test
