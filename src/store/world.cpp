#include "store/world.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/overloaded.h"

namespace payonce {

namespace {

// Orders kept for the next batches: payments whose provider or buyer is about to answer …
constexpr std::size_t kept_orders_max = 4'096;
// … and beside them those that were in use a moment ago: repeats and the provider's notice come soon after the end.
// More would slow every look-up.
constexpr std::size_t recent_orders_max = 1'024;

OrderKey const no_order;

// Whether its provider or its buyer is about to answer. A hold may last for days.
bool is_awaited(Order const& order) {
  return std::ranges::any_of(
      order.attempts, [](Attempt const& it) { return is_live(it.state) && it.state != AttemptState::authorized; });
}

// The idempotency key a command brings, or null.
std::optional<MerchantKey> key_in(Command const& command) {
  if (auto const* begin = std::get_if<BeginAttempt>(&command))
    return MerchantKey{begin->key.merchant, begin->idempotency_key};
  if (auto const* offline = std::get_if<RecordOfflinePayment>(&command))
    return MerchantKey{offline->key.merchant, offline->idempotency_key};
  if (auto const* refund = std::get_if<BeginRefund>(&command))
    return MerchantKey{refund->merchant, refund->idempotency_key};
  if (auto const* capture = std::get_if<BeginCapture>(&command))
    return MerchantKey{capture->merchant, capture->idempotency_key};
  return std::nullopt;
}

// The attempt number by which a command finds its order, or null.
std::optional<AttemptId> number_in(Command const& command) {
  if (auto const* notice = std::get_if<ApplyNotice>(&command)) return AttemptId{notice->number};
  if (auto const* cancel = std::get_if<CancelAttempt>(&command)) return cancel->attempt;
  if (auto const* refund = std::get_if<BeginRefund>(&command)) return refund->attempt;
  if (auto const* capture = std::get_if<BeginCapture>(&command)) return capture->attempt;
  return std::nullopt;
}

std::optional<NoticeId> notice_in(Command const& command) {
  if (auto const* notice = std::get_if<ApplyNotice>(&command)) return NoticeId{notice->provider, notice->event_id};
  return std::nullopt;
}

// Distinct questions of a batch, in order.
template <class Question>
std::vector<Question> questions(std::span<Command const* const> commands,
                                std::optional<Question> (*ask)(Command const&)) {
  std::set<Question> distinct;
  for (Command const* command : commands)
    if (auto question = ask(*command)) distinct.insert(std::move(*question));
  return {distinct.begin(), distinct.end()};
}

// Replaces the row with the same id or appends it, and notes its index among the dirty ones.
template <class Row>
void put(std::vector<Row>& rows, Row row, std::vector<std::size_t>& dirty) {
  auto const at = std::ranges::find(rows, row.id, &Row::id);
  auto const index = static_cast<std::size_t>(at - rows.begin());
  if (std::ranges::find(dirty, index) == dirty.end()) dirty.push_back(index);
  if (at == rows.end())
    rows.push_back(std::move(row));
  else
    *at = std::move(row);
}

}  // namespace

void World::open(Writer& writer, std::span<Command const* const> commands) {
  if (writer.has_changed_elsewhere() || entries_.size() > kept_orders_max) forget();
  // What a usual payment's commands bring at most: growing on the way would move each row several times.
  events_.reserve(2 * commands.size());
  effects_.reserve(3 * commands.size());
  look_up(writer, commands);
  load(writer, commands);
}

void World::look_up(Writer& writer, std::span<Command const* const> commands) {
  if (auto const keys = questions<MerchantKey>(commands, key_in); !keys.empty()) {
    auto holders = writer.find_keys(keys);
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (holders[i]) keys_.emplace(keys[i], std::move(*holders[i]));
  }
  if (auto const numbers = questions<AttemptId>(commands, number_in); !numbers.empty()) {
    auto orders = writer.find_attempts(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (orders[i]) numbers_.emplace(numbers[i], std::move(*orders[i]));
  }
  if (auto const ids = questions<NoticeId>(commands, notice_in); !ids.empty()) {
    auto rows = writer.find_notices(ids);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (rows[i]) notices_.emplace(ids[i], Notice{std::move(*rows[i]), true, false});
  }
}

void World::load(Writer& writer, std::span<Command const* const> commands) {
  std::set<OrderKey> absent;
  auto const want = [&](OrderKey const& key) {
    auto const at = entries_.find(key);
    if (at == entries_.end())
      absent.insert(key);
    else
      use(at);
  };
  for (Command const* command : commands) want(key_of(*command));
  for (auto const& [key, holder] : keys_) want(holder.order);
  absent.erase(no_order);
  std::vector<OrderKey> const sorted{absent.begin(), absent.end()};
  for (Order& order : writer.load_orders(sorted)) {
    OrderKey key = order.head.key;
    use(entries_.emplace(std::move(key), Entry{std::move(order)}).first).head_is_stored = true;
  }
}

World::Entry& World::use(Entries::iterator at) {
  Entry& entry = at->second;
  if (!std::exchange(entry.is_in_use, true)) {
    in_use_.push_back(at);
    entry.stored_attempts = entry.order.attempts.size();
    entry.stored_refunds = entry.order.refunds.size();
    entry.stored_captures = entry.order.captures.size();
  }
  return entry;
}

OrderKey const& World::key_of(Command const& command) const {
  auto const by_number = [&](AttemptId const& number) -> OrderKey const& {
    auto const at = numbers_.find(number);
    return at == numbers_.end() ? no_order : at->second;
  };
  auto const by_number_of = [&](MerchantId const& merchant, AttemptId const& number) -> OrderKey const& {
    OrderKey const& key = by_number(number);
    return key.merchant == merchant ? key : no_order;
  };
  return std::visit(
      Overloaded{
          [&](ApplyNotice const& notice) -> OrderKey const& { return by_number(AttemptId{notice.number}); },
          [&](CancelAttempt const& it) -> OrderKey const& { return by_number_of(it.merchant, it.attempt); },
          [&](BeginRefund const& it) -> OrderKey const& { return by_number_of(it.merchant, it.attempt); },
          [&](BeginCapture const& it) -> OrderKey const& { return by_number_of(it.merchant, it.attempt); },
          [](auto const& other) -> OrderKey const& { return other.key; },
      },
      command);
}

Order const* World::find(OrderKey const& key) const {
  auto const at = entries_.find(key);
  return at == entries_.end() ? nullptr : &at->second.order;
}

Situation World::situation_of(Command const& command) const {
  Situation situation;
  situation.order = find(key_of(command));
  if (auto const key = key_in(command)) {
    auto const holder = keys_.find(*key);
    if (holder != keys_.end()) {
      situation.key_order = find(holder->second.order);
      if (situation.key_order) {
        situation.key_attempt = situation.key_order->find(holder->second.attempt);
        situation.key_refund = situation.key_order->find(holder->second.refund);
        situation.key_capture = situation.key_order->find(holder->second.capture);
      }
    }
  }
  if (auto const id = notice_in(command)) {
    auto const notice = notices_.find(*id);
    if (notice != notices_.end()) situation.known_notice = &notice->second.row;
  }
  return situation;
}

void World::apply_rows(Entry& entry, Changes& changes) {
  if (changes.head) {
    entry.order.head = std::move(*changes.head);
    entry.head_is_dirty = true;
  }
  OrderKey const& key = entry.order.head.key;
  for (Attempt& attempt : changes.attempts) {
    if (!entry.order.find(attempt.id)) {
      numbers_.try_emplace(attempt.id, key);
      keys_.try_emplace({key.merchant, attempt.key}, KeyHolder{.order = key, .attempt = attempt.id});
    }
    put(entry.order.attempts, std::move(attempt), entry.dirty_attempts);
  }
  for (Refund& refund : changes.refunds) {
    if (!refund.key.empty() && !entry.order.find(refund.id))
      keys_.try_emplace({key.merchant, refund.key}, KeyHolder{.order = key, .refund = refund.id});
    put(entry.order.refunds, std::move(refund), entry.dirty_refunds);
  }
  for (Capture& capture : changes.captures) {
    if (!capture.key.empty() && !entry.order.find(capture.id))
      keys_.try_emplace({key.merchant, capture.key}, KeyHolder{.order = key, .capture = capture.id});
    put(entry.order.captures, std::move(capture), entry.dirty_captures);
  }
}

void World::apply(OrderKey const& key, Changes&& changes) {
  if (changes.head || !changes.attempts.empty() || !changes.refunds.empty() || !changes.captures.empty()) {
    auto at = entries_.find(key);
    // Only a registration changes an order that is not there yet, and it always brings the head.
    if (at == entries_.end()) at = entries_.emplace(key, Entry{Order{*changes.head, {}, {}}}).first;
    apply_rows(use(at), changes);
  }
  std::ranges::move(changes.effects, std::back_inserter(effects_));
  std::ranges::move(changes.events, std::back_inserter(events_));
  std::ranges::move(changes.postings, std::back_inserter(postings_));
  if (changes.discrepancy) discrepancies_.push_back(std::move(*changes.discrepancy));
  if (changes.notice) {
    Notice& notice = notices_[{changes.notice->provider, changes.notice->event_id}];
    notice.row = std::move(*changes.notice);
    notice.is_dirty = true;
  }
}

WriteSet World::take_write_set() {
  WriteSet set;
  // Rows are written in the order in which their orders are locked.
  std::ranges::sort(in_use_, {}, [](Entries::iterator at) -> OrderKey const& { return at->first; });
  set.heads.reserve(in_use_.size());
  set.attempts.reserve(in_use_.size());
  for (Entries::iterator const at : in_use_) {
    auto const& [key, entry] = *at;
    if (entry.head_is_dirty) set.heads.push_back({entry.order.head, !entry.head_is_stored});
    for (std::size_t const i : entry.dirty_attempts)
      set.attempts.push_back({key, entry.order.attempts[i], i >= entry.stored_attempts, entry.order.head.policy});
    for (std::size_t const i : entry.dirty_refunds)
      set.refunds.push_back({key, entry.order.refunds[i], i >= entry.stored_refunds});
    for (std::size_t const i : entry.dirty_captures)
      set.captures.push_back({key, entry.order.captures[i], i >= entry.stored_captures});
  }
  set.effects = std::exchange(effects_, {});
  set.events = std::exchange(events_, {});
  set.postings = std::exchange(postings_, {});
  set.discrepancies = std::exchange(discrepancies_, {});
  for (auto const& [id, notice] : notices_)
    if (notice.is_dirty) set.notices.push_back({notice.row, !notice.is_stored});
  return set;
}

void World::settle() {
  for (Entries::iterator const at : in_use_) {
    Entry& entry = at->second;
    entry.head_is_stored = true;
    entry.head_is_dirty = entry.is_in_use = false;
    entry.dirty_attempts.clear();
    entry.dirty_refunds.clear();
    entry.dirty_captures.clear();
  }
  in_use_.clear();
  keys_.clear();
  numbers_.clear();
  notices_.clear();
  if (entries_.size() <= awaited_ + recent_orders_max) return;
  std::erase_if(entries_, [](auto const& it) { return !is_awaited(it.second.order); });
  awaited_ = entries_.size();
}

void World::forget() { *this = World{}; }

}  // namespace payonce
