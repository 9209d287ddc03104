// Every target for a short while, from its seeds and the corpus, by chance with a fixed seed. `tools/fuzz` goes on
// where this ends.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/crypto.h"
#include "base/random.h"
#include "fuzz/target.h"

namespace payonce::test {
namespace {

constexpr std::size_t input_bytes_max = 4096;

std::size_t below(Random& random, std::size_t end) { return end == 0 ? 0 : random.next() % end; }

// A few changes of the kinds that break parsers: other bytes, missing and doubled stretches, another input's end.
std::string changed(std::string bytes, std::string const& other, Random& random) {
  for (std::size_t changes = 1 + below(random, 4); changes > 0; --changes) {
    std::size_t const at = below(random, bytes.size() + 1);
    std::size_t const length = below(random, std::min<std::size_t>(bytes.size() - at, 16) + 1);
    switch (below(random, 6)) {
      case 0: bytes.insert(at, 1, static_cast<char>(random.next())); break;
      case 1: bytes.erase(at, length); break;
      case 2: bytes.insert(at, bytes.substr(at, length)); break;
      case 3: bytes = bytes.substr(0, at) + other.substr(below(random, other.size() + 1)); break;
      case 4: bytes.insert(at, std::to_string(static_cast<std::int64_t>(random.next()))); break;
      default:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8)));
    }
  }
  if (bytes.size() > input_bytes_max) bytes.resize(input_bytes_max);
  return bytes;
}

// What the long runs have kept, and each input that once broke something.
std::vector<std::string> corpus_of(std::string_view target) {
  std::vector<std::string> inputs;
  std::error_code none;
  std::filesystem::path const folder = std::filesystem::path{PAYONCE_SOURCE_DIR "/tests/fuzz/corpus"} / target;
  for (auto const& file : std::filesystem::directory_iterator(folder, none)) {
    std::ostringstream text;
    text << std::ifstream(file.path(), std::ios::binary).rdbuf();
    inputs.push_back(text.str());
  }
  return inputs;
}

class Fuzz : public testing::TestWithParam<FuzzTarget> {
 protected:
  static void run(std::string const& bytes) try { GetParam().run(bytes); } catch (std::exception const& error) {
    FAIL() << error.what() << "; the input in hexadecimal: " << hex_encode(bytes);
  }
};

TEST_P(Fuzz, KeepsItsPromisesForAnyBytes) {
  SeededRandom random{20261130};
  std::vector<std::string> inputs = GetParam().seeds;
  std::ranges::copy(corpus_of(GetParam().name), std::back_inserter(inputs));
  for (std::string const& bytes : inputs) run(bytes);
  for (int i = 0; i < GetParam().inputs && !HasFailure(); ++i)
    run(changed(inputs[below(random, inputs.size())], inputs[below(random, inputs.size())], random));
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, testing::ValuesIn(fuzz_targets().begin(), fuzz_targets().end()),
                         [](auto const& it) { return it.param.name; });

}  // namespace
}  // namespace payonce::test
