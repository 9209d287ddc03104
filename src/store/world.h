// The orders that a batch of commands is about, loaded and locked once, changed in memory command by command, and
// written back as one set of rows.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "payment/decide.h"
#include "store/store.h"

namespace payonce {

class World {
 public:
  // Looks up keys, numbers and notices, then locks and loads the orders, sorted by key. Throws StoreError.
  World(Writer& writer, std::span<Command const* const> commands);

  // What the rules see for the command, as the commands before it left it. Good until apply().
  Situation situation_of(Command const& command) const;
  // The order the command is about; an empty key when it names a number that nobody has.
  OrderKey key_of(Command const& command) const;
  void apply(OrderKey const& key, Changes const& changes);
  // Everything that was changed since loading. What leaves the live set comes before what enters it, so that the
  // unique index for one live attempt never sees two.
  WriteSet write_set() const;

 private:
  struct Entry {
    Order order;
    bool head_is_stored = false;
    bool head_is_dirty = false;
    // The first `stored_*` rows came from the database; those behind are new.
    std::size_t stored_attempts = 0;
    std::size_t stored_refunds = 0;
    std::set<std::size_t> dirty_attempts = {};
    std::set<std::size_t> dirty_refunds = {};
  };
  struct Notice {
    NoticeRow row;
    bool is_stored = false;
    bool is_dirty = false;
  };

  void look_up(Writer& writer, std::span<Command const* const> commands);
  void load(Writer& writer, std::span<Command const* const> commands);
  Order const* find(OrderKey const& key) const;
  void apply_rows(Entry& entry, Changes const& changes);

  std::map<MerchantKey, KeyHolder> keys_;
  std::map<AttemptId, OrderKey> numbers_;
  std::map<NoticeId, Notice> notices_;
  std::map<OrderKey, Entry> entries_;
  std::vector<Effect> effects_;
  std::vector<TimelineEvent> events_;
};

}  // namespace payonce
