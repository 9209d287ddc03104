// Chance as a port, so that a simulation repeats from its seed. Integers only: the distributions of the
// standard library differ between implementations.
#pragma once

#include <cstdint>

namespace payonce {

class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t next() = 0;
  // Uniform in [0, bound); bound > 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
};

// The operating system's secure generator, buffered. Any thread.
class SystemRandom final : public Random {
 public:
  std::uint64_t next() override;
};

// Repeatable from its seed (splitmix64). One thread.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() override;

 private:
  std::uint64_t state_;
};

}  // namespace payonce
