// One file of a MemoryDisk, with the locks that SQLite takes on it and the memory its connections share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"

namespace payonce::sqlite {

// What one connection holds of a file.
struct FileHolder {
  std::uint64_t process = 0;
  bool is_dead = false;
  int level = 0;              // SQLITE_LOCK_NONE … SQLITE_LOCK_EXCLUSIVE
  unsigned shared_slots = 0;  // bits: locks in the shared memory
  unsigned exclusive_slots = 0;
};

class MemoryFile {
 public:
  using Region = std::array<char, 32 * 1024>;
  using Regions = std::vector<std::unique_ptr<Region>>;

  // Content. Reads beyond the end give zeros and say so.
  bool read(void* into, std::size_t bytes, std::size_t at) const;
  void write(void const* from, std::size_t bytes, std::size_t at);
  void truncate(std::size_t bytes);
  void sync();
  std::size_t size() const { return data_.size(); }
  // Of what was not synced, the pieces that chance lets through are on the disk now.
  void lose_power(Random& random);

  // Locks: false when somebody else is in the way.
  bool lock(FileHolder& self, int level);
  bool is_reserved() const;
  bool lock_slots(FileHolder& self, unsigned mask, bool exclusive) const;

  void add(FileHolder* holder) { holders_.push_back(holder); }
  void remove(FileHolder* holder) { std::erase(holders_, holder); }
  std::vector<FileHolder*> const& holders() const { return holders_; }

  // The shared memory; a new one once all who used the old one are gone.
  std::shared_ptr<Regions> shared_memory();

 private:
  struct Change {
    std::size_t at;
    std::string bytes;
    bool is_truncation = false;  // to `at` bytes
  };
  static void apply(std::string& content, Change const& change);

  std::string data_;     // as programs see it
  std::string durable_;  // as it was at the last sync
  std::vector<Change> unsynced_;
  std::vector<FileHolder*> holders_;
  std::weak_ptr<Regions> regions_;
};

}  // namespace payonce::sqlite
