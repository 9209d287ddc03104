#include "simulate/buyer.h"

#include <utility>

#include "engine/cancel.h"
#include "engine/capture.h"
#include "engine/pay.h"
#include "engine/refund.h"

namespace payonce::simulate {

namespace {

using namespace std::chrono_literals;

constexpr int tries_max = 3;
constexpr int refunds_max = 2;

void ignore(Answered const&) {}

// The part of a split order that a payment is for stands in its key.
constexpr std::string_view first_part = "first";
constexpr std::string_view second_part = "second";

std::string part_in(std::string_view key) {
  for (std::string_view const part : {first_part, second_part})
    if (key.contains(part)) return std::string{part};
  return {};
}

}  // namespace

void Buyer::come() {
  amount_minor_ = 100 + static_cast<std::int64_t>(town_.stage.chance_of(order_).below(9900));
  town_.stage.at_banks[order_].asked_minor = amount_minor_;
  if (town_.stage.plan.has_holds && town_.stage.chance_of(order_).below(3) == 0) mode_ = CaptureMode::manual;
  if (town_.stage.plan.has_splits && town_.stage.chance_of(order_).below(3) == 0) policy_ = Policy::split;
  later(between(0ms, town_.stage.plan.storm), [this] {
    bool const expires = happens(Trouble::expires);
    bool const is_plain = policy_ == Policy::single && mode_ == CaptureMode::automatic;
    if (is_plain && !expires && town_.stage.chance_of(order_).below(2) == 0) return begin_try();
    RegisterOrder command{key(), {amount_minor_, Currency::of("USD")}, policy_, {}};
    command.capture = mode_;
    if (expires) command.expires_at = town_.stage.wall_time() + between(20s, 1min);
    ask(
        "register the order", {},
        [command](Engine& engine, AnsweredDone done) { engine.execute(command, std::move(done)); },
        [this](Answered const&) { begin_tries(); });
  });
}

void Buyer::ask(std::string words, Judge::Asked asked, Start start, Heard heard) {
  auto const errand =
      std::make_shared<Errand>(Errand{std::move(words), std::move(asked), std::move(start), std::move(heard)});
  errands_.push_back(errand);
  ++waiting_for_;
  try_once(errand);
}

void Buyer::try_once(ErrandPtr const& errand) {
  if (errand->is_over) return;
  if (!happens(Trouble::request_lost)) arrive(errand, between(1ms, 100ms));
  if (happens(Trouble::request_twice)) arrive(errand, between(1ms, 2s));
  // Whoever hears nothing asks again.
  town_.stage.after(between(3s, 15s), [this, errand] { try_once(errand); });
}

void Buyer::arrive(ErrandPtr const& errand, Millis delay) {
  Node& node = town_.some_node(order_);
  town_.stage.after(delay, [this, errand, &node] {
    if (!node.is_up()) return;
    town_.stage.tell(order_, "node {} is asked to {}", node.index(), errand->words);
    errand->start(node.engine(), [this, errand](Answered answer) {
      town_.judge.hear_answer(order_, errand->asked, answer);
      if (happens(Trouble::answer_lost)) return;
      town_.stage.after(between(1ms, 100ms), [this, errand, answer = std::move(answer)] { answered(errand, answer); });
    });
  });
}

void Buyer::answered(ErrandPtr const& errand, Answered const& answer) {
  // Not an answer but an invitation to ask again, which happens anyway.
  bool const is_away = !answer && (answer.error().error.code == ErrorCode::unavailable ||
                                   answer.error().error.code == ErrorCode::overloaded);
  if (is_away || std::exchange(errand->is_over, true)) return;
  --waiting_for_;
  errand->was_served = answer.has_value();
  errand->heard(answer);
}

void Buyer::begin_tries() {
  if (policy_ == Policy::single) return begin_try();
  begin_try(std::string{first_part});
  later(between(0ms, 10s), [this] { begin_try(std::string{second_part}); });
}

void Buyer::begin_try(std::string const& part) {
  std::string const key = fmt::format("key-{}-{}{}", order_, ++tries_, part);
  has_acted_ = false;
  pay(key, "card", [this, key](Answered const& answer) { hear_payment(key, answer); });
  misbehave(key);
}

void Buyer::pay(std::string const& idempotency_key, std::string const& method, Heard heard, bool replaces) {
  auto const [bank, is_new] = bank_of_key_.try_emplace(idempotency_key, some_bank());
  PayRequest request{.key = key(),
                     .idempotency_key = idempotency_key,
                     .provider = bank->second,
                     .method = method,
                     .amount_minor = amount_minor_,
                     .currency = "USD",
                     .part = part_in(idempotency_key),
                     .registers_order = policy_ == Policy::single,
                     .replaces = replaces,
                     .actor = "buyer",
                     .wait = between(0ms, 8s)};
  if (request.part == first_part) request.amount_minor = amount_minor_ - amount_minor_ / 2;
  if (request.part == second_part) request.amount_minor = amount_minor_ / 2;
  ask(
      fmt::format("pay by {} at {} under key {}", method, bank->second, idempotency_key), {idempotency_key, method},
      [request](Engine& engine, AnsweredDone done) { payonce::pay(engine, request, std::move(done)); },
      std::move(heard));
}

// What people do beside waiting for an answer.
void Buyer::misbehave(std::string const& key) {
  if (happens(Trouble::double_click)) later(between(0ms, 500ms), [this, key] { pay(key, "card", ignore); });
  if (happens(Trouble::second_device)) later(between(0ms, 1s), [this, key] { pay(key + "-b", "card", ignore); });
  if (happens(Trouble::other_content)) later(between(0ms, 3s), [this, key] { pay(key, "wallet", ignore); });
  if (happens(Trouble::replaces)) later(between(1s, 20s), [this, key] { pay(key + "-r", "wallet", ignore, true); });
  if (happens(Trouble::cancels)) later(between(100ms, 20s), [this] { cancel(); });
  if (happens(Trouble::closes)) later(between(100ms, 20s), [this] { close(); });
}

void Buyer::later(Millis delay, std::function<void()> act) {
  ++waiting_for_;
  town_.stage.after(delay, [this, act = std::move(act)] {
    --waiting_for_;
    act();
  });
}

void Buyer::hear_payment(std::string const& key, Answered const& answer) {
  if (answer) return hear_attempt(key, *answer->attempt);
  switch (answer.error().error.code) {
    case ErrorCode::order_has_live_payment: return ask_again(key);
    case ErrorCode::order_already_paid:
    case ErrorCode::order_closed:
    case ErrorCode::internal:
      return;  // the judge has seen to it
    // "wallet" was first with this key.
    case ErrorCode::idempotency_key_reused:
      if (tries_ < tries_max) begin_try(part_in(key));
      return;
    default: town_.stage.accuse(9, order_, fmt::format("a good request is refused: {}", answer.error().error.detail));
  }
}

void Buyer::hear_attempt(std::string const& key, Attempt const& attempt) {
  attempt_ = attempt.id;
  switch (attempt.state) {
    case AttemptState::processing:
    case AttemptState::unknown:
    case AttemptState::released: return ask_again(key);
    case AttemptState::requires_action: return act_at_bank(attempt), ask_again(key);
    case AttemptState::failed:
    case AttemptState::canceled:
      if (tries_ < tries_max) begin_try(part_in(key));
      return;
    case AttemptState::authorized: return hear_hold(attempt);
    case AttemptState::disputed:
    case AttemptState::reversed: return;
    case AttemptState::succeeded: return may_refund(attempt);
  }
}

void Buyer::may_refund(Attempt const& attempt) {
  if (!attempt.surplus && happens(Trouble::refunds)) refund(attempt.id, came_minor(attempt));
}

void Buyer::hear_hold(Attempt const& attempt) {
  if (!holds_heard_.insert(attempt.id.value).second) return;
  std::int64_t const all = attempt.amount.minor;
  auto const way = town_.stage.chance_of(order_).below(4);
  if (way == 0 && happens(Trouble::abandons)) return;  // forgotten
  later(between(100ms, 20s), [this, attempt, all, way] {
    way == 1   ? capture(attempt, all, true)
    : way == 2 ? capture(attempt, (all + 1) / 2, true)
               : capture(attempt, (all + 1) / 2, false);
  });
}

void Buyer::capture(Attempt const& attempt, std::int64_t minor, bool is_final) {
  CaptureRequest request{.merchant = simulated_merchant,
                         .attempt = attempt.id,
                         .idempotency_key = fmt::format("capture-{}-{}", order_, ++captures_),
                         .amount_minor = minor,
                         .is_final = is_final,
                         .actor = "ann",
                         .wait = between(0ms, 5s)};
  Judge::Asked const asked{request.idempotency_key, {}};
  std::string const words = fmt::format("capture {} of {} under key {}", minor, attempt.id.value, asked.key);
  auto const start = [request](Engine& engine, AnsweredDone done) {
    capture_payment(engine, request, std::move(done));
  };
  if (happens(Trouble::double_click)) ask(words, asked, start, ignore);
  ask(words, asked, start, [this](Answered const& answer) {
    if (!answer || !answer->attempt) return;
    Attempt const& now = *answer->attempt;
    if (now.state == AttemptState::succeeded) return may_refund(now);
    std::int64_t const left = now.amount.minor - came_minor(now);
    bool const has_taken = answer->capture && answer->capture->state == CaptureState::succeeded;
    if (has_taken && now.state == AttemptState::authorized && left > 0) capture(now, left, true);
  });
}

void Buyer::act_at_bank(Attempt const& attempt) {
  if (std::exchange(has_acted_, true) || happens(Trouble::abandons)) return;
  bool const pays = town_.stage.chance_of(order_).below(6) != 0;
  later(between(1s, 30s), [this, pays, id = attempt.id.value, bank = attempt.provider] {
    town_.stage.tell(order_, "the buyer {} {} at bank {}", pays ? "pays" : "refuses to pay", id, bank);
    town_.banks.at(bank)->buyer_acts(id, pays);
  });
}

void Buyer::ask_again(std::string const& key) {
  later(between(2s, 20s),
        [this, key] { pay(key, "card", [this, key](Answered const& answer) { hear_payment(key, answer); }); });
}

void Buyer::cancel() {
  if (attempt_.empty()) return;
  CancelAttempt const command{simulated_merchant, attempt_, "ann"};
  ask(
      "cancel " + attempt_.value, {},
      [command, wait = between(0ms, 5s)](Engine& engine, AnsweredDone done) {
        payonce::cancel(engine, command, wait, std::move(done));
      },
      ignore);
}

void Buyer::close() {
  CloseOrder const command{key(), "ann"};
  ask(
      "close the order", {},
      [command, wait = between(0ms, 5s)](Engine& engine, AnsweredDone done) {
        execute_once_free(engine, command, command.actor, wait, std::move(done));
      },
      ignore);
}

void Buyer::refund(AttemptId const& attempt, std::int64_t left_minor) {
  if (refunds_ == refunds_max || left_minor == 0) return;
  bool const in_part = town_.stage.chance_of(order_).below(2) == 0;
  std::int64_t const amount_minor = in_part ? (left_minor + 1) / 2 : left_minor;
  RefundRequest request{.merchant = simulated_merchant,
                        .attempt = attempt,
                        .idempotency_key = fmt::format("refund-{}-{}", order_, ++refunds_),
                        .amount_minor = amount_minor,
                        .reason = fmt::format("line {}", refunds_),
                        .actor = "ann",
                        .wait = between(0ms, 5s)};
  Judge::Asked const asked{request.idempotency_key, {}};
  std::string const words = fmt::format("give back {} of {} under key {}", amount_minor, attempt.value, asked.key);
  auto const start = [request](Engine& engine, AnsweredDone done) { refund_payment(engine, request, std::move(done)); };
  if (happens(Trouble::double_click)) ask(words, asked, start, ignore);
  ask(words, asked, start, [this, attempt, left = left_minor - amount_minor](Answered const& answer) {
    if (answer && happens(Trouble::refunds)) refund(attempt, left);
  });
}

void Buyer::repeat_everything() {
  for (ErrandPtr const& errand : std::vector{errands_}) {
    if (errand->asked.key.empty() || !errand->was_served) continue;
    ++waiting_for_;
    auto const again = std::make_shared<Errand>(*errand);
    again->is_over = false;
    again->heard = ignore;
    try_once(again);
  }
}

std::string const& Buyer::some_bank() {
  auto const& banks = town_.stage.plan.banks;
  auto const& chosen = banks[town_.stage.chance_of(order_).below(banks.size())];
  // The first one can hold money, as all that can prove a closing.
  return mode_ == CaptureMode::manual && !chosen.close_is_proof ? banks.front().name : chosen.name;
}

}  // namespace payonce::simulate
