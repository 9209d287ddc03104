// The states that were seen, by fingerprint, with the step that first led to each. Several threads may add.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace payonce::check {

using StateNumber = std::uint32_t;

class Seen {
 public:
  // Where a state was first met: the state before it, and which of that state's steps led here.
  struct Origin {
    StateNumber from = 0;
    std::uint16_t step = 0;
  };
  struct Added {
    StateNumber number;
    bool is_new;
  };

  explicit Seen(std::size_t states_max) : origins_(states_max + slack) {}

  // Any thread.
  Added add(std::uint64_t fingerprint, Origin origin);
  std::size_t size() const { return next_.load(); }
  Origin origin_of(StateNumber number) const { return origins_[number]; }

  // States that threads may still add after the bound is reached: they look at it between states.
  static constexpr std::size_t slack = 100'000;

 private:
  // Open addressing; a slot is free while its number is `nobody`.
  struct Slot {
    std::uint64_t fingerprint = 0;
    StateNumber number = nobody;
  };
  struct Shard {
    std::mutex lock;
    std::vector<Slot> slots = std::vector<Slot>(1024);
    std::size_t used = 0;
  };
  static constexpr StateNumber nobody = ~StateNumber{0};

  static Slot& slot_for(std::vector<Slot>& slots, std::uint64_t fingerprint);
  static void grow(Shard& shard);

  std::array<Shard, 64> shards_;
  std::vector<Origin> origins_;
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace payonce::check
