#include "check/seen.h"

#include <stdexcept>

namespace payonce::check {

Seen::Slot& Seen::slot_for(std::vector<Slot>& slots, std::uint64_t fingerprint) {
  std::size_t const mask = slots.size() - 1;
  std::size_t at = (fingerprint >> 6) & mask;
  while (slots[at].number != nobody && slots[at].fingerprint != fingerprint) at = (at + 1) & mask;
  return slots[at];
}

void Seen::grow(Shard& shard) {
  std::vector<Slot> larger(shard.slots.size() * 2);
  for (Slot const& slot : shard.slots)
    if (slot.number != nobody) slot_for(larger, slot.fingerprint) = slot;
  shard.slots = std::move(larger);
}

Seen::Added Seen::add(std::uint64_t fingerprint, Origin origin) {
  Shard& shard = shards_[fingerprint % shards_.size()];
  std::lock_guard const guard{shard.lock};
  Slot& slot = slot_for(shard.slots, fingerprint);
  if (slot.number != nobody) return {slot.number, false};
  std::size_t const number = next_++;
  if (number >= origins_.size()) throw std::length_error("check: more states than there is room for");
  slot = {fingerprint, static_cast<StateNumber>(number)};
  origins_[number] = origin;
  if (++shard.used * 3 > shard.slots.size() * 2) grow(shard);
  return {static_cast<StateNumber>(number), true};
}

}  // namespace payonce::check
