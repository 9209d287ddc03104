#include "base/random.h"

#include <openssl/rand.h>

#include <array>
#include <stdexcept>

namespace payonce {

std::uint64_t SystemRandom::next() {
  // One call for many numbers: every request needs two, and the generator's cost is mostly per call.
  thread_local std::array<std::uint64_t, 256> pool;
  thread_local std::size_t left = 0;
  if (left == 0) {
    if (RAND_bytes(reinterpret_cast<unsigned char*>(pool.data()), sizeof pool) != 1)
      throw std::runtime_error("the system's random generator gave nothing");
    left = pool.size();
  }
  return pool[--left];
}

std::uint64_t SeededRandom::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace payonce
