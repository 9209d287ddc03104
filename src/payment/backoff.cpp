#include "payment/backoff.h"

#include <algorithm>
#include <cstdint>

namespace payonce {

namespace {

// FNV-1a: enough to spread, the same on every machine.
std::uint64_t hash_of(std::string_view who, int tries) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  auto const mix = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3ULL; };
  for (char const c : who) mix(static_cast<unsigned char>(c));
  mix(static_cast<unsigned char>(tries & 0xff));
  mix(static_cast<unsigned char>((tries >> 8) & 0xff));
  return hash;
}

}  // namespace

Millis backoff(Millis first, Millis longest, int tries, std::string_view who) {
  Millis wait = first;
  for (int i = 0; i < tries && Millis{0} < wait && wait < longest; ++i) wait = wait > longest / 2 ? longest : wait * 2;
  wait = std::min(wait, longest);
  auto const spread = static_cast<std::uint64_t>(wait.count() / 4);
  return spread == 0 ? wait : wait - Millis{static_cast<std::int64_t>(hash_of(who, tries) % (spread + 1))};
}

}  // namespace payonce
