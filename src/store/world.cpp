#include "store/world.h"

#include <algorithm>

#include "base/overloaded.h"

namespace payonce {

namespace {

// The idempotency key a command brings, or null.
std::optional<MerchantKey> key_in(Command const& command) {
  if (auto const* begin = std::get_if<BeginAttempt>(&command))
    return MerchantKey{begin->key.merchant, begin->idempotency_key};
  if (auto const* offline = std::get_if<RecordOfflinePayment>(&command))
    return MerchantKey{offline->key.merchant, offline->idempotency_key};
  return std::nullopt;
}

// The attempt number by which a command finds its order, or null.
std::optional<AttemptId> number_in(Command const& command) {
  if (auto const* notice = std::get_if<ApplyNotice>(&command)) return AttemptId{notice->number};
  if (auto const* cancel = std::get_if<CancelAttempt>(&command)) return cancel->attempt;
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

// Replaces the row with the same id or appends it; its index.
template <class Row>
std::size_t put(std::vector<Row>& rows, Row const& row) {
  auto const at = std::ranges::find(rows, row.id, &Row::id);
  auto const index = static_cast<std::size_t>(at - rows.begin());
  if (at == rows.end())
    rows.push_back(row);
  else
    *at = row;
  return index;
}

}  // namespace

World::World(Writer& writer, std::span<Command const* const> commands) {
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
  std::set<OrderKey> distinct;
  for (Command const* command : commands) distinct.insert(key_of(*command));
  for (auto const& [key, holder] : keys_) distinct.insert(holder.order);
  distinct.erase(OrderKey{});
  std::vector<OrderKey> const sorted{distinct.begin(), distinct.end()};
  for (Order& order : writer.load_orders(sorted)) {
    OrderKey key = order.head.key;
    Entry& entry = entries_.emplace(std::move(key), Entry{std::move(order)}).first->second;
    entry.head_is_stored = true;
    entry.stored_attempts = entry.order.attempts.size();
    entry.stored_refunds = entry.order.refunds.size();
  }
}

OrderKey World::key_of(Command const& command) const {
  auto const by_number = [&](AttemptId const& number) {
    auto const at = numbers_.find(number);
    return at == numbers_.end() ? OrderKey{} : at->second;
  };
  return std::visit(Overloaded{
                        [&](ApplyNotice const& notice) { return by_number(AttemptId{notice.number}); },
                        [&](CancelAttempt const& cancel) {
                          OrderKey key = by_number(cancel.attempt);
                          return key.merchant == cancel.merchant ? key : OrderKey{};
                        },
                        [](auto const& other) { return other.key; },
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
      if (situation.key_order) situation.key_attempt = situation.key_order->find(holder->second.attempt);
    }
  }
  if (auto const id = notice_in(command)) {
    auto const notice = notices_.find(*id);
    if (notice != notices_.end()) situation.known_notice = &notice->second.row;
  }
  return situation;
}

void World::apply_rows(Entry& entry, Changes const& changes) {
  if (changes.head) {
    entry.order.head = *changes.head;
    entry.head_is_dirty = true;
  }
  OrderKey const& key = entry.order.head.key;
  for (Attempt const& attempt : changes.attempts) {
    entry.dirty_attempts.insert(put(entry.order.attempts, attempt));
    numbers_.try_emplace(attempt.id, key);
    keys_.try_emplace({key.merchant, attempt.key}, KeyHolder{key, attempt.id});
  }
  for (Refund const& refund : changes.refunds) entry.dirty_refunds.insert(put(entry.order.refunds, refund));
}

void World::apply(OrderKey const& key, Changes const& changes) {
  if (changes.head || !changes.attempts.empty() || !changes.refunds.empty()) {
    auto at = entries_.find(key);
    // Only a registration changes an order that is not there yet, and it always brings the head.
    if (at == entries_.end()) at = entries_.emplace(key, Entry{Order{*changes.head, {}, {}}}).first;
    apply_rows(at->second, changes);
  }
  effects_.insert(effects_.end(), changes.effects.begin(), changes.effects.end());
  events_.insert(events_.end(), changes.events.begin(), changes.events.end());
  if (changes.notice) {
    Notice& notice = notices_[{changes.notice->provider, changes.notice->event_id}];
    notice.row = *changes.notice;
    notice.is_dirty = true;
  }
}

WriteSet World::write_set() const {
  WriteSet set;
  for (auto const& [key, entry] : entries_) {
    if (entry.head_is_dirty) set.heads.push_back({entry.order.head, !entry.head_is_stored});
    for (std::size_t const i : entry.dirty_attempts)
      set.attempts.push_back({key, entry.order.attempts[i], i >= entry.stored_attempts, entry.order.head.policy});
    for (std::size_t const i : entry.dirty_refunds)
      set.refunds.push_back({key, entry.order.refunds[i], i >= entry.stored_refunds});
  }
  auto const takes_no_place = [](WriteSet::AttemptWrite const& write) {
    return !is_live(write.row.state) && (write.row.state != AttemptState::succeeded || write.row.surplus);
  };
  std::ranges::partition(set.attempts, takes_no_place);
  set.effects = effects_;
  set.events = events_;
  for (auto const& [id, notice] : notices_)
    if (notice.is_dirty) set.notices.push_back({notice.row, !notice.is_stored});
  return set;
}

}  // namespace payonce
