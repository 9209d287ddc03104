#include "simulate/judge.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "engine/settings.h"
#include "payment/call_kind.h"
#include "simulate/node.h"
#include "store/sqlite/sqlite_store.h"

namespace payonce::simulate {

namespace {

// The judge's own process; nodes have smaller numbers.
constexpr sqlite::MemoryDisk::Process auditor = 1'000'000'000;
constexpr std::size_t page = 256;

bool is_end(AttemptState state) { return !is_watched(state); }

}  // namespace

Judge::Judge(Stage& stage, sqlite::MemoryDisk& disk, Banks const& banks, Shop const& shop)
    : stage_(stage), disk_(disk), banks_(banks), shop_(shop) {
  for (Merchant const& merchant : simulated_merchants(stage.plan))
    for (EffectTarget const& effect : merchant.effects)
      options_.effects[merchant.id].push_back({effect.name, effect.on});
  for (BankPlan const& bank : stage.plan.banks) options_.bank_providers.insert(bank.name);
  open_books_again();
}

Judge::~Judge() = default;

void Judge::open_books_again() {
  reader_.reset();
  store_.reset();
  disk_.run_as(auditor);
  auto opened = open_sqlite(books_path(disk_), Checkpoints::by_writer);
  if (!opened) throw std::runtime_error(opened.error().detail);
  store_ = std::move(*opened);
  if (auto const migrated = store_->migrate(); !migrated) throw std::runtime_error(migrated.error().detail);
  reader_ = store_->open_reader();
}

void Judge::inspect_call(ProviderCall const& call, Time now) {
  int const order = Stage::order_of(call.key.order.value);
  if (now >= lease_of(call))
    stage_.accuse(4, order,
                  fmt::format("the bank is called for {} after the call's lease, when recovery may be at it too",
                              call.attempt.id.value));
  auto const found = reader_->find_attempt(call.attempt.id);
  bool const is_there = found && found->attempt.request == call.attempt.request;
  if (!is_there)
    stage_.accuse(3, order, fmt::format("the bank is called for {}, which is not in the books", call.attempt.id.value));
  if (call.refund && !reader_->find_refund(call.refund->id))
    stage_.accuse(3, order, fmt::format("the bank is called for {}, which is not in the books", call.refund->id.value));
  if (call.capture && !reader_->find_capture(call.capture->id))
    stage_.accuse(3, order,
                  fmt::format("the bank is called for {}, which is not in the books", call.capture->id.value));
}

void Judge::hear_answer(int order, Asked const& asked, Answered const& answered) {
  ++stage_.deeds.answers;
  if (!answered) {
    Error const& error = answered.error().error;
    stage_.tell(order, "the answer: {}", to_text(error.code));
    if (error.code == ErrorCode::internal)
      stage_.accuse(9, order, fmt::format("a command of key \"{}\" can't be committed", asked.key));
    return;
  }
  if (answered->order && answered->order->state != OrderState::open) orders_[order] = answered->order->state;
  if (answered->order) orders_.try_emplace(order, OrderState::open);
  if (answered->refund) {
    hear_part(order, asked, *answered->refund);
    refunds_[answered->refund->id.value] = answered->refund->state;
  } else if (answered->capture) {
    hear_part(order, asked, *answered->capture);
    captures_[answered->capture->id.value] = answered->capture->state;
  } else if (answered->attempt) {
    hear_attempt(order, asked, *answered->attempt);
  }
}

template <class Row>
void Judge::hear_part(int order, Asked const& asked, Row const& row) {
  std::string const& id = row.id.value;
  stage_.tell(order, "the answer: {} is {}", id, to_text(row.state));
  auto const [holder, is_new] = holders_.emplace(asked.key, id);
  if (holder->second != id)
    stage_.accuse(10, order, fmt::format("key {} has {} and {}", asked.key, holder->second, id));
}

void Judge::hear_attempt(int order, Asked const& asked, Attempt const& attempt) {
  std::string const& id = attempt.id.value;
  stage_.tell(order, "the answer: {} is {}{}", id, to_text(attempt.state), attempt.surplus ? ", surplus" : "");
  auto const [at, is_first] = attempts_.try_emplace(id, Promise{order, attempt.state});
  if (is_first) ++stage_.deeds.payments;
  // A success is never taken back; other answers may overtake each other on their way.
  if (!has_come(at->second.state)) at->second.state = attempt.state;
  bool const is_called_failure = attempt.state == AttemptState::failed || attempt.state == AttemptState::canceled;
  auto const bank = banks_.find(attempt.provider);
  if (is_called_failure && bank != banks_.end() && bank->second->has_charged(id) &&
      !stage_.at_banks[order].minds_changed)
    stage_.accuse(7, order, fmt::format("{} is called {} after the bank charged it", id, to_text(attempt.state)));
  if (asked.key.empty()) return;
  auto const [holder, is_new] = holders_.emplace(asked.key, id);
  if (holder->second != id)
    stage_.accuse(10, order, fmt::format("key {} has {} and {}", asked.key, holder->second, id));
  if (attempt.key != asked.key || attempt.method != asked.method)
    stage_.accuse(10, order,
                  fmt::format("who asked under key {} for method \"{}\" was given {}, key {}, method \"{}\"", asked.key,
                              asked.method, id, attempt.key, attempt.method));
}

bool Judge::has_notice(BankNotice const& notice) {
  return std::ranges::any_of(reader_->notices_of(AttemptId{notice.number}), [&](NoticeRow const& row) {
    return row.provider == notice.bank && row.event_id == notice.event_id;
  });
}

void Judge::hear_notice_taken(BankNotice const& notice) {
  if (!has_notice(notice))
    stage_.accuse(5, notice.order, fmt::format("notice {} is called safe and is not in the books", notice.event_id));
  notices_.push_back(notice);
}

template <class Visit>
void Judge::for_each_order(Visit visit) {
  OrderKey last;
  for (auto orders = reader_->orders_after(last, page); !orders.empty(); orders = reader_->orders_after(last, page)) {
    last = orders.back().head.key;
    for (Order const& order : orders) visit(order);
  }
}

BankLedger Judge::ledger() const {
  BankLedger ledger;
  // The world stands still while it is read, so that nothing in the books is newer.
  ledger.read_at = stage_.wall_time() + std::chrono::hours{24};
  for (auto const& [name, bank] : banks_) bank->write_ledger(ledger);
  return ledger;
}

VerifyReport Judge::examine() {
  BankLedger const now = ledger();
  options_.bank = &now;
  VerifyReport report = verify(*reader_, options_);
  options_.bank = nullptr;
  for (Finding const& finding : report.violations) {
    int const order = Stage::order_of(finding.order.order.value);
    // What a bank charged after all is known here as soon as its notice has come.
    bool const is_late_news =
        std::ranges::any_of(banks_, [&](auto const& it) { return it.second->is_late_with(order); });
    if (!is_late_news) stage_.accuse(finding.invariant, order, fmt::format("{} {}", finding.subject, finding.fact));
  }
  return report;
}

std::optional<Unsettled> Judge::unsettled() {
  std::optional<Unsettled> first;
  for_each_order([&](Order const& order) {
    auto const note = [&](std::string const& subject, std::string_view state) {
      if (!first) first = {Stage::order_of(order.head.key.order.value), fmt::format("{} is {}", subject, state)};
    };
    if (order.head.state == OrderState::open && order.head.expires_at)
      note(order.head.key.order.value, "about to expire");
    for (Attempt const& it : order.attempts)
      if (is_watched(it.state)) note(it.id.value, to_text(it.state));
    for (Refund const& it : order.refunds)
      if (is_watched(it.state)) note(it.id.value, to_text(it.state));
    for (Capture const& it : order.captures)
      if (is_watched(it.state)) note(it.id.value, to_text(it.state));
    if (first) return;
    for (Effect const& it : reader_->effects_of(order.head.key))
      if (it.state == EffectState::pending) note("effect " + it.id(), "pending");
  });
  if (!first && reader_->backlog().notices_unmatched > 0) first = {Chronicle::everyone, "a notice is not matched"};
  return first;
}

std::int64_t Judge::newest_event() {
  std::int64_t newest = 0;
  for (auto events = reader_->events_after(simulated_merchant, 0, page); !events.empty();
       events = reader_->events_after(simulated_merchant, newest, page))
    newest = events.back().sequence;
  return newest;
}

std::optional<int> Judge::order_changed_since(std::int64_t after) {
  auto const events = reader_->events_after(simulated_merchant, after, 1);
  if (events.empty()) return std::nullopt;
  return Stage::order_of(events.front().event.key.order.value);
}

void Judge::examine_promises() {
  for (auto const& [id, promise] : attempts_) examine_promise(id, promise);
  examine_parts();
  for (BankNotice const& notice : notices_)
    if (!has_notice(notice))
      stage_.accuse(9, notice.order, fmt::format("notice {} was acknowledged and is gone", notice.event_id));
  for (auto const& [number, state] : orders_) {
    auto const order = reader_->find_order({simulated_merchant, OrderId{Stage::order_name(number)}});
    if (!order)
      stage_.accuse(9, number, "the order was acknowledged and is gone");
    else if (state != OrderState::open && order->head.state == OrderState::open)
      stage_.accuse(9, number, fmt::format("the order was {} and is open again", to_text(state)));
  }
  std::set<std::string> effects;
  for_each_order([&](Order const& order) {
    examine_deliveries(order, effects);
    for (Attempt const& attempt : order.attempts) examine_dispute(order, attempt);
  });
  for (auto const& [id, times] : shop_.received())
    if (!effects.contains(id))
      stage_.accuse(6, Chronicle::everyone, fmt::format("the shop was sent {}, which is no effect", id));
}

void Judge::examine_parts() {
  auto const examine = [&](std::string const& id, auto const& found, auto const& row, bool was_done) {
    if (!found) return stage_.accuse(9, Chronicle::everyone, fmt::format("{} was acknowledged and is gone", id));
    bool const is_done = row(*found).state == decltype(row(*found).state)::succeeded;
    if (was_done && !is_done)
      stage_.accuse(9, Stage::order_of(found->key.order.value), fmt::format("{} had succeeded and has not", id));
  };
  for (auto const& [id, state] : refunds_)
    examine(
        id, reader_->find_refund(RefundId{id}), [](auto const& it) { return it.refund; },
        state == RefundState::succeeded);
  for (auto const& [id, state] : captures_)
    examine(
        id, reader_->find_capture(CaptureId{id}), [](auto const& it) { return it.capture; },
        state == CaptureState::succeeded);
}

// What the payer's bank has decided is in the books, or a person is told.
void Judge::examine_dispute(Order const& order, Attempt const& attempt) {
  auto const bank = banks_.find(attempt.provider);
  auto const decided = bank == banks_.end() ? std::nullopt : bank->second->dispute_of(attempt.id.value);
  if (!decided || !attempt.review.empty()) return;
  bool const is_gone = *decided == Outcome::dispute_lost;
  if (attempt.state != (is_gone ? AttemptState::reversed : AttemptState::succeeded))
    stage_.accuse(
        7, Stage::order_of(order.head.key.order.value),
        fmt::format("{} is {} although the bank says {}", attempt.id.value, to_text(attempt.state), to_text(*decided)));
}

void Judge::examine_promise(std::string const& id, Promise const& promise) {
  auto const found = reader_->find_attempt(AttemptId{id});
  if (!found) return stage_.accuse(9, promise.order, fmt::format("{} was acknowledged and is gone", id));
  AttemptState const now = found->attempt.state;
  bool const is_kept =
      now == promise.state || !is_end(promise.state) || has_come(now) || (!has_come(promise.state) && is_end(now));
  if (!is_kept)
    stage_.accuse(9, promise.order, fmt::format("{} was {} and is {}", id, to_text(promise.state), to_text(now)));
}

void Judge::examine_deliveries(Order const& order, std::set<std::string>& effects) {
  int const number = Stage::order_of(order.head.key.order.value);
  for (Effect const& effect : reader_->effects_of(order.head.key)) {
    effects.insert(effect.id());
    if (effect.state == EffectState::delivered && !shop_.received().contains(effect.id()))
      stage_.accuse(6, number, fmt::format("effect {} is called delivered and never came", effect.id()));
    // The shop never says that it does not want one, and nothing lasts for days here.
    if (effect.state == EffectState::dead) stage_.accuse(6, number, fmt::format("effect {} is given up", effect.id()));
  }
}

}  // namespace payonce::simulate
