// Random commands with random, also contradictory, answers on one order: whatever comes in whatever order, the
// invariants hold after each step. A failure prints the seed and the last steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/id.h"
#include "base/random.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

class Walk {
 public:
  explicit Walk(std::uint64_t seed)
      : random_(seed),
        seed_(seed),
        policy_(seed % 3 == 0 ? Policy::split : Policy::single),
        capture_(seed % 5 == 0 ? CaptureMode::manual : CaptureMode::automatic) {
    world_.terms.shop.effects.push_back({"held", Trigger::payment_authorized});
    if (seed % 2 == 0) world_.terms.shop.switch_mode = SwitchMode::release;
    world_.run(any_registration());
  }

  // One random step; false when an invariant broke.
  bool step() {
    RulesWorld const before = world_;
    Command const command = next_command();
    Decision const decision = world_.run(command);
    steps_.push_back(fmt::format("{} #{}", to_rfc3339(world_.now), command.index()));
    if (!decision.reply) {
      bool const only_alarms = std::ranges::all_of(decision.changes.events,
                                                   [](TimelineEvent const& it) { return it.type == "payment.alarm"; });
      EXPECT_TRUE(only_alarms && !decision.changes.head && decision.changes.refunds.empty() &&
                  decision.changes.captures.empty() && decision.calls.empty())
          << "a refusal writes nothing but an alarm, and calls nothing" << trace();
    }
    EXPECT_EQ(broken_invariants(world_.order(), world_.effects), "") << trace();
    EXPECT_EQ(journal_mismatch(world_.order(), world_.journal), "") << trace();
    expect_nothing_taken_back(before);
    expect_repetition_is_harmless(command);
    world_.now += Millis{static_cast<std::int64_t>(random_.below(chance(10) ? 3'600'000 : 20'000))};
    return !testing::Test::HasFailure();
  }

  RulesWorld const& world() const { return world_; }

 private:
  bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }
  template <class Values>
  auto any_of(Values const& values) {
    return values[random_.below(std::size(values))];
  }
  // Mostly of a payment that was begun; sometimes one that is not in the books.
  int any_number() { return int(random_.below(chance(8) ? 9 : std::max<std::size_t>(1, begun_.size()))) + 1; }
  std::string any_key() { return fmt::format("k-{}", random_.below(12)); }

  Answer any_answer() {
    bool const may_be_held = capture_ == CaptureMode::manual && !chance(3);
    Outcome const said = may_be_held ? Outcome::authorized
                         : chance(8) ? Outcome::succeeded
                         : chance(3) ? Outcome::declined
                                     : any_of(outcomes);
    Answer made = answer(said, chance(4) ? "" : fmt::format("code-{}", random_.below(4)));
    if (chance(6)) made.text.clear();
    if (chance(5)) made.amount = any_of(std::array{usd(1999), usd(500), cny(1999)});
    if (chance(12)) made.misfit = "another account";
    if (chance(4)) made.provider_ref = fmt::format("ch_{}", random_.below(3));
    return made;
  }

  RecordOutcome any_outcome() {
    RecordOutcome command = outcome(any_number(), chance(4) ? any_of(evidences) : Evidence::query, any_answer());
    Attempt const* const attempt = world_.order().find(command.attempt);
    if (attempt && chance(2)) command.first_create_at_try = attempt->tries - int(random_.below(2));
    return command;
  }

  ApplyNotice any_notice() {
    ApplyNotice command = notice(fmt::format("evt-{}", random_.below(400)), any_number(), any_answer());
    command.provider = any_of(std::array{"sure", "forgetful", "blunt"});
    if (chance(3)) command.refund_number = any_refund_id().value;
    return command;
  }

  Command any_take_up() {
    AttemptId const id = attempt_id(any_number());
    Attempt const* const attempt = world_.order().find(id);
    if (attempt && attempt->due_at && !chance(5)) {
      world_.now = std::max(world_.now, *attempt->due_at);
      return TakeUpAttempt{order_key(), id, *attempt->due_at};
    }
    return TakeUpAttempt{order_key(), id, world_.now};
  }

  RefundId any_refund_id() {
    if (refunds_begun_.empty() || chance(2)) return surplus_refund_id(attempt_id(any_number()));
    return refund_id(int(random_.below(refunds_begun_.size())) + 1);
  }

  Command any_refund_request() {
    if (!refunds_begun_.empty() && chance(4)) return any_of(refunds_begun_);
    int const number = int(refunds_begun_.size()) + 1;
    std::string key = chance(6) ? any_key() : fmt::format("r-{}", random_.below(60));
    auto const amount = static_cast<std::int64_t>(random_.below(1200));
    refunds_begun_.push_back(refund_request(number, std::move(key), amount, any_number()));
    return refunds_begun_.back();
  }

  Command any_refund_step() {
    RefundId const id = any_refund_id();
    Refund const* const refund = world_.order().find(id);
    if (refund && refund->due_at && chance(2)) return TakeUpRefund{order_key(), id, *refund->due_at};
    return RecordRefundOutcome{order_key(), id, any_of(evidences), any_answer()};
  }

  // Mostly what is under way, or a new one of money that is held.
  Command any_capture_step() {
    if (!captures_begun_.empty() && chance(3)) return any_of(captures_begun_);
    for (Capture const& it : world_.order().captures) {
      if (!is_watched(it.state) || chance(3)) continue;
      if (chance(3)) return TakeUpCapture{order_key(), it.id, *it.due_at};
      Answer said = any_answer();
      if (chance(2)) said = answer(Outcome::succeeded, "done");
      return RecordCaptureOutcome{order_key(), it.id, any_of(evidences), std::move(said)};
    }
    int const number = int(captures_begun_.size()) + 1;
    std::string key = chance(6) ? any_key() : fmt::format("c-{}", random_.below(60));
    auto const amount = static_cast<std::int64_t>(random_.below(2'100));
    captures_begun_.push_back(capture_request(number, std::move(key), amount, chance(2)));
    captures_begun_.back().attempt = attempt_id(any_number());
    for (Attempt const& it : world_.order().attempts)
      if (it.state == AttemptState::authorized) captures_begun_.back().attempt = it.id;
    return captures_begun_.back();
  }

  // Numbers are minted by the caller: a number comes back only with the whole command, after a lost commit answer.
  Command any_beginning() {
    if (begun_.size() >= 8 || (!begun_.empty() && chance(4))) return any_of(begun_);
    int const number = int(begun_.size()) + 1;
    std::string const provider = any_of(std::array{"sure", "forgetful", "blunt"});
    std::string const part = policy_ == Policy::split ? any_of(std::array{"", "deposit", "rest"}) : "";
    if (chance(12)) {
      RecordOfflinePayment offline = offline_payment(number, any_key());
      offline.part = part;
      begun_.push_back(std::move(offline));
    } else {
      BeginAttempt begin = beginning(number, any_key(), provider);
      begin.part = part;
      begin.replaces = chance(3);
      if (policy_ == Policy::split && chance(2)) begin.amount_minor = any_of(std::array{500, 1'499, 1'999});
      begun_.push_back(std::move(begin));
    }
    return begun_.back();
  }

  Command any_registration() {
    RegisterOrder command = registration(any_of(std::array{usd(1999), usd(1999), usd(500), cny(1999)}));
    command.policy = policy_;
    command.capture = capture_;
    if (chance(20)) command.expires_at = world_.now + 1h;
    return command;
  }

  Command any_end() {
    auto const due_at = world_.order().head.due_at;
    if (due_at && chance(2)) return ExpireOrder{order_key(), *due_at};
    return CloseOrder{order_key(), "ann"};
  }

  Command next_command() {
    bool const holds = std::ranges::any_of(world_.order().attempts,
                                           [](Attempt const& it) { return it.state == AttemptState::authorized; });
    if (holds && !chance(4)) return any_capture_step();
    switch (random_.below(16)) {
      case 0: return any_registration();
      case 1:
      case 2:
      case 3: return any_beginning();
      case 4: return CancelAttempt{MerchantId{"shop"}, attempt_id(any_number()), "ann"};
      case 5: return any_refund_request();
      case 6: return any_refund_step();
      case 7: return chance(12) ? any_end() : any_take_up();
      case 8:
      case 9: return any_notice();
      case 10:
      case 11:
      case 12: return any_take_up();
      default: return any_outcome();
    }
  }

  void expect_nothing_taken_back(RulesWorld const& before) {
    for (Attempt const& old : before.order().attempts) {
      Attempt const& now = *world_.order().find(old.id);
      bool const fixed = old.request == now.request && old.key == now.key && old.fingerprint == now.fingerprint &&
                         old.amount == now.amount && old.provider == now.provider && old.created_at == now.created_at;
      EXPECT_TRUE(fixed) << "what was promised changed" << trace();
      EXPECT_GE(came_minor(now), came_minor(old)) << trace();
      if (!has_come(old.state)) continue;
      EXPECT_TRUE(has_come(now.state)) << trace();
      EXPECT_EQ(now.surplus, old.surplus) << trace();
    }
    for (Refund const& old : before.order().refunds) {
      Refund const& now = *world_.order().find(old.id);
      bool const stays = now.state == RefundState::succeeded || now.state == RefundState::returned;
      EXPECT_TRUE(old.state != RefundState::succeeded || stays) << trace();
      EXPECT_EQ(old.amount, now.amount) << trace();
    }
    for (Capture const& old : before.order().captures) {
      Capture const& now = *world_.order().find(old.id);
      EXPECT_TRUE(old.state != CaptureState::succeeded || now.state == old.state) << trace();
      EXPECT_TRUE(old.amount == now.amount && old.request == now.request) << trace();
    }
    if (before.order().head.state != OrderState::paid) return;
    EXPECT_EQ(world_.order().head.state, OrderState::paid) << trace();
    EXPECT_EQ(world_.order().head.amount, before.order().head.amount) << trace();
  }

  // Taking up is fenced by the due time, which it moves: the same command finds nothing to do.
  void expect_repetition_is_harmless(Command const& command) {
    Decision const again = world_.decide(command);
    EXPECT_EQ(world_.substance_of(again.changes), "") << "command #" << command.index() << trace();
  }

  std::string trace() const {
    std::size_t const first = steps_.size() > 20 ? steps_.size() - 20 : 0;
    std::string text = fmt::format("\nseed {}, step {}; last commands:\n", seed_, steps_.size());
    for (std::size_t i = first; i < steps_.size(); ++i) text += steps_[i] + "\n";
    for (Attempt const& attempt : world_.order().attempts) text += describe(attempt) + "\n";
    for (Capture const& capture : world_.order().captures) text += describe(capture) + "\n";
    return text;
  }

  SeededRandom random_;
  std::uint64_t seed_;
  Policy policy_;
  CaptureMode capture_;
  RulesWorld world_;
  std::vector<Command> begun_;
  std::vector<Command> refunds_begun_;
  std::vector<BeginCapture> captures_begun_;
  std::vector<std::string> steps_;
};

TEST(RandomWalk, KeepsTheInvariantsAfterEachStep) {
  std::size_t paid = 0;
  std::size_t surplus = 0;
  std::size_t asked_back = 0;
  std::size_t closed = 0;
  std::size_t disputed = 0;
  std::size_t in_parts = 0;
  std::size_t captured = 0;
  std::size_t captured_less = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Walk walk{seed};
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(walk.step());
    paid += walk.world().order().head.state == OrderState::paid;
    closed += walk.world().order().head.state == OrderState::closed;
    for (Attempt const& it : walk.world().order().attempts) {
      disputed += it.disputes > 0;
      in_parts += pays(it) && !it.part.empty();
    }
    for (Attempt const& it : walk.world().order().attempts) captured_less += it.captured_minor > 0;
    for (Capture const& it : walk.world().order().captures) captured += it.state == CaptureState::succeeded;
    for (Refund const& refund : walk.world().order().refunds) ++(refund.gives_surplus_back() ? surplus : asked_back);
  }
  // The walk must get around, or it would prove nothing. (Where it goes is the compiler's choice, too.)
  EXPECT_GT(paid, 30U);
  EXPECT_GT(surplus, 10U);
  EXPECT_GT(asked_back, 15U);
  EXPECT_GT(closed, 3U);
  EXPECT_GT(disputed, 10U);
  EXPECT_GT(in_parts, 10U);
  EXPECT_GT(captured, 3U);
  EXPECT_GT(captured_less, 3U);
}

}  // namespace
}  // namespace payonce
