#include "simulate/chronicle.h"

namespace payonce::simulate {

namespace {

// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/): no secret is kept by it, and it is short.
std::uint64_t mix(std::uint64_t hash, unsigned char byte) { return (hash ^ byte) * 0x100000001b3ULL; }

}  // namespace

void Chronicle::add(Agenda::Moment at, int order) {
  auto const moment = static_cast<std::uint64_t>(at.count());
  for (int shift = 0; shift < 64; shift += 8) hash_ = mix(hash_, static_cast<unsigned char>(moment >> shift));
  for (char c : buffer_) hash_ = mix(hash_, static_cast<unsigned char>(c));
  if (keeps_lines_) lines_.push_back({at, order, fmt::to_string(buffer_)});
}

}  // namespace payonce::simulate
