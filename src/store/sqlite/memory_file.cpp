#include "store/sqlite/memory_file.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>

namespace payonce::sqlite {

bool MemoryFile::read(void* into, std::size_t bytes, std::size_t at) const {
  std::size_t const there = at >= data_.size() ? 0 : std::min(bytes, data_.size() - at);
  if (there > 0) std::memcpy(into, data_.data() + at, there);
  std::memset(static_cast<char*>(into) + there, 0, bytes - there);
  return there == bytes;
}

void MemoryFile::write(void const* from, std::size_t bytes, std::size_t at) {
  unsynced_.push_back({at, std::string{static_cast<char const*>(from), bytes}});
  apply(data_, unsynced_.back());
}

void MemoryFile::truncate(std::size_t bytes) {
  unsynced_.push_back({bytes, {}, true});
  apply(data_, unsynced_.back());
}

void MemoryFile::apply(std::string& content, Change const& change) {
  if (change.is_truncation) return content.resize(change.at);
  if (content.size() < change.at + change.bytes.size()) content.resize(change.at + change.bytes.size());
  change.bytes.copy(content.data() + change.at, change.bytes.size());
}

void MemoryFile::sync() {
  for (Change const& change : unsynced_) apply(durable_, change);
  unsynced_.clear();
}

void MemoryFile::lose_power(Random& random) {
  // One fate for all in two of three power cuts: everything had been written anyway, or nothing. In the third, pieces
  // of a page's size were written in any order.
  constexpr std::size_t piece_bytes = 4096;
  auto const fate = random.below(3);
  for (Change const& change : unsynced_) {
    if (change.is_truncation) {
      if (fate == 0 || (fate == 2 && random.below(2) == 0)) apply(durable_, change);
      continue;
    }
    for (std::size_t at = 0; at < change.bytes.size(); at += piece_bytes)
      if (fate == 0 || (fate == 2 && random.below(2) == 0))
        apply(durable_, {change.at + at, change.bytes.substr(at, piece_bytes)});
  }
  unsynced_.clear();
  data_ = durable_;
  regions_.reset();
}

bool MemoryFile::lock(FileHolder& self, int level) {
  auto const others_reach = [&](int limit) {
    return std::ranges::any_of(holders_, [&](FileHolder const* it) { return it != &self && it->level >= limit; });
  };
  bool const is_free = level == SQLITE_LOCK_SHARED     ? !others_reach(SQLITE_LOCK_PENDING)
                       : level == SQLITE_LOCK_RESERVED ? !others_reach(SQLITE_LOCK_RESERVED)
                                                       : !others_reach(SQLITE_LOCK_SHARED);
  if (is_free) self.level = std::max(self.level, level);
  return is_free;
}

bool MemoryFile::is_reserved() const {
  return std::ranges::any_of(holders_, [](FileHolder const* it) { return it->level >= SQLITE_LOCK_RESERVED; });
}

bool MemoryFile::lock_slots(FileHolder& self, unsigned mask, bool exclusive) const {
  for (FileHolder const* it : holders_) {
    if (it == &self) continue;
    if ((it->exclusive_slots & mask) != 0 || (exclusive && (it->shared_slots & mask) != 0)) return false;
  }
  (exclusive ? self.exclusive_slots : self.shared_slots) |= mask;
  return true;
}

std::shared_ptr<MemoryFile::Regions> MemoryFile::shared_memory() {
  auto regions = regions_.lock();
  if (!regions) regions_ = regions = std::make_shared<Regions>();
  return regions;
}

}  // namespace payonce::sqlite
