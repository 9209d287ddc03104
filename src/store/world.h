// The orders that a batch of commands is about, loaded and locked once, changed in memory command by command, and
// written back as one set of rows. One World serves a lane's batches one after the other: open(), the commands,
// take_write_set(), then settle() or forget().
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "payment/decide.h"
#include "store/store.h"

namespace payonce {

class World {
 public:
  // Begins a batch: looks up keys, numbers and notices, then locks and loads the orders, sorted by key. Orders of the
  // batches before are still here, first of all those whose payment is under way, unless somebody else may have changed
  // them.
  // Throws StoreError.
  void open(Writer& writer, std::span<Command const* const> commands);

  // What the rules see for the command, as the commands before it left it. Good until apply().
  Situation situation_of(Command const& command) const;
  // The order the command is about; an empty key when it names a number that nobody has.
  OrderKey const& key_of(Command const& command) const;
  void apply(OrderKey const& key, Changes&& changes);
  // Everything that was changed since open(); to be asked once.
  WriteSet take_write_set();

  // The batch is committed, or had nothing to commit.
  void settle();
  // It is not, or nobody knows.
  void forget();

 private:
  struct Entry {
    Order order;
    bool head_is_stored = false;
    bool head_is_dirty = false;
    // The first `stored_*` rows came from the database; those behind are new.
    std::size_t stored_attempts = 0;
    std::size_t stored_refunds = 0;
    std::size_t stored_captures = 0;
    std::vector<std::size_t> dirty_attempts = {};
    std::vector<std::size_t> dirty_refunds = {};
    std::vector<std::size_t> dirty_captures = {};
    bool is_in_use = false;  // in in_use_
  };
  using Entries = std::map<OrderKey, Entry>;
  struct Notice {
    NoticeRow row;
    bool is_stored = false;
    bool is_dirty = false;
  };

  void look_up(Writer& writer, std::span<Command const* const> commands);
  void load(Writer& writer, std::span<Command const* const> commands);
  Order const* find(OrderKey const& key) const;
  Entry& use(Entries::iterator at);
  // Takes the rows out of the changes.
  void apply_rows(Entry& entry, Changes& changes);

  std::map<MerchantKey, KeyHolder> keys_;
  std::map<AttemptId, OrderKey> numbers_;
  std::map<NoticeId, Notice> notices_;
  Entries entries_;
  std::size_t awaited_ = 0;                // so many orders were awaited when the others were last dropped
  std::vector<Entries::iterator> in_use_;  // what this batch loaded or is about
  std::vector<Effect> effects_;
  std::vector<TimelineEvent> events_;
  std::vector<Posting> postings_;
  std::vector<Discrepancy> discrepancies_;
};

}  // namespace payonce
