// The rules against a bank that keeps a ledger and never lies, over a line that delays, loses and breaks off: no number
// is charged twice, no charge is called a failure, and in the end the bank holds the order's money once or not at all.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/id.h"
#include "base/random.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

// One number at the bank. An idempotent bank answers a repeated create from here; a forgetful one charges again.
struct Number {
  int charges = 0;
  bool declined = false;
  bool closed = false;
  bool given_back = false;
};

struct Bank {
  bool is_idempotent;
  std::map<AttemptId, Number> numbers = {};

  Outcome create(AttemptId const& id, bool decline) {
    auto const [at, is_new] = numbers.try_emplace(id);
    Number& number = at->second;
    if (number.closed) return Outcome::declined;
    if (is_new || !is_idempotent) {
      number.declined = decline;
      if (!decline) ++number.charges;
    }
    return number.declined ? Outcome::declined : Outcome::succeeded;
  }

  Outcome query(AttemptId const& id) const {
    auto const at = numbers.find(id);
    if (at == numbers.end()) return Outcome::not_found;
    return at->second.charges > 0 ? Outcome::succeeded : Outcome::declined;
  }

  // Closing an unknown number is remembered, so that a create that comes later is refused.
  Outcome close(AttemptId const& id) {
    Number& number = numbers[id];
    if (number.charges > 0) return Outcome::succeeded;
    number.closed = true;
    return Outcome::declined;
  }

  Outcome refund(AttemptId const& id) {
    numbers.at(id).given_back = true;
    return Outcome::succeeded;
  }
  Outcome query_refund(AttemptId const& id) const {
    return numbers.at(id).given_back ? Outcome::succeeded : Outcome::not_found;
  }

  Outcome perform(ProviderCall const& call, bool decline) {
    switch (call.kind) {
      case CallKind::create: return create(call.attempt.id, decline);
      case CallKind::query: return query(call.attempt.id);
      case CallKind::close: return close(call.attempt.id);
      case CallKind::refund: return refund(call.attempt.id);
      case CallKind::query_refund: return query_refund(call.attempt.id);
      case CallKind::capture:
      case CallKind::query_capture: break;  // this bank holds nothing
    }
    return Outcome::in_doubt;
  }
};

// A call on its way: it arrives within the provider's request life or never, and is answered or not.
struct Flight {
  ProviderCall call;
  Time sent_at;
  Time arrives_from;
  bool has_arrived = false;
  bool is_waited_for = true;  // false after our time-out or crash
  Outcome outcome = Outcome::in_doubt;
};

class Town {
 public:
  Town(std::uint64_t seed, std::string provider)
      : random_(seed), provider_(std::move(provider)), bank_{provider_ == "sure"} {
    world_.run(registration());
  }

  void step() {
    switch (random_.below(8)) {
      case 0: begin(); break;
      case 1: run(CancelAttempt{MerchantId{"shop"}, attempt_id(int(random_.below(8)) + 1), "ann"}); break;
      case 2:
        if (chance(8)) crash();
        break;
      case 3: take_up_what_is_due(); break;
      case 4: world_.now += Millis{static_cast<std::int64_t>(random_.below(chance(8) ? 1'200'000 : 15'000))}; break;
      default: move_a_flight(); break;
    }
    expire_flights();
    check();
  }

  // From here on the line is good; everything must come to its end.
  void calm_down() {
    for (int round = 0; round < 200; ++round) {
      for (std::size_t i = 0; i < flights_.size(); ++i) {
        arrive(flights_[i]);
        answer(i, flights_[i].outcome);
      }
      flights_.clear();
      world_.now += 6min;
      take_up_what_is_due();
      check();
    }
  }

  void expect_books_and_bank_agree() const {
    int held = 0;
    for (auto const& [id, number] : bank_.numbers) held += number.charges - int(number.given_back);
    EXPECT_EQ(held, world_.order().head.state == OrderState::paid ? 1 : 0);
    EXPECT_EQ(world_.effects.size(), held == 1 ? 3U : 0U);
    for (Attempt const& attempt : world_.order().attempts)
      EXPECT_TRUE(!is_watched(attempt.state) || provider_ == "blunt") << describe(attempt);
  }

  std::size_t charges() const {
    std::size_t sum = 0;
    for (auto const& [id, number] : bank_.numbers) sum += std::size_t(number.charges);
    return sum;
  }

 private:
  bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }

  void run(Command const& command) {
    Decision decision = world_.run(command);
    for (ProviderCall& call : decision.calls) {
      Time const arrives_from = world_.now + Millis{chance(3) ? std::int64_t(random_.below(59'000)) : 0};
      flights_.push_back({std::move(call), world_.now, arrives_from});
    }
  }

  void begin() {
    if (next_ >= 8 || world_.order().live()) return;
    run(beginning(next_, fmt::format("k-{}", next_), provider_));
    ++next_;
  }

  void crash() {
    for (Flight& flight : flights_) flight.is_waited_for = false;
  }

  void take_up_what_is_due() {
    std::vector<Command> due;
    for (Attempt const& attempt : world_.order().attempts)
      if (attempt.due_at && *attempt.due_at <= world_.now)
        due.push_back(TakeUpAttempt{order_key(), attempt.id, *attempt.due_at});
    for (Refund const& refund : world_.order().refunds)
      if (refund.due_at && *refund.due_at <= world_.now)
        due.push_back(TakeUpRefund{order_key(), refund.id, *refund.due_at});
    for (Command const& command : due) {
      run(command);
      if (chance(2)) run(command);  // the second worker
    }
  }

  void arrive(Flight& flight) {
    if (flight.has_arrived) return;
    flight.has_arrived = true;
    flight.outcome = bank_.perform(flight.call, chance(3));
    if (flight.outcome == Outcome::succeeded && flight.call.kind == CallKind::create && chance(3))
      run(notice(fmt::format("evt-{}", next_event_++), number_of(flight.call), payonce::answer(Outcome::succeeded)));
  }

  static int number_of(ProviderCall const& call) { return std::stoi(call.attempt.id.value.substr(4)); }

  void answer(std::size_t index, Outcome said) {
    Flight& flight = flights_[index];
    if (!flight.is_waited_for) return;
    flight.is_waited_for = false;
    ProviderCall const call = flight.call;
    bool const is_question = call.kind == CallKind::query || call.kind == CallKind::query_refund;
    Evidence const evidence = is_question ? Evidence::query : Evidence::response;
    if (call.refund) {
      run(RecordRefundOutcome{order_key(), call.refund->id, evidence, payonce::answer(said)});
      return;
    }
    RecordOutcome command{order_key(), call.attempt.id, evidence, payonce::answer(said), "", std::nullopt};
    if (call.first_create) command.first_create_at_try = call.attempt.tries;
    run(command);
  }

  void move_a_flight() {
    if (flights_.empty()) return;
    std::size_t const index = random_.below(flights_.size());
    Flight& flight = flights_[index];
    if (!flight.has_arrived && flight.is_waited_for && chance(6)) {  // surely not sent: it never arrives
      flight.has_arrived = true;
      answer(index, Outcome::not_sent);
    } else if (world_.now >= flight.arrives_from && chance(2)) {
      arrive(flight);
    } else if (flight.has_arrived && !chance(3)) {
      answer(index, flight.outcome);
    } else {  // our time-out; the request may still arrive
      answer(index, Outcome::in_doubt);
    }
  }

  void expire_flights() {
    std::erase_if(flights_, [&](Flight const& flight) {
      bool const too_old = world_.now - flight.sent_at >= 60s;
      return too_old || (flight.has_arrived && !flight.is_waited_for);
    });
  }

  void check() const {
    EXPECT_EQ(broken_invariants(world_.order(), world_.effects), "");
    for (Attempt const& attempt : world_.order().attempts) {
      auto const at = bank_.numbers.find(attempt.id);
      int const charges = at == bank_.numbers.end() ? 0 : at->second.charges;
      EXPECT_LE(charges, 1) << "charged twice: " << describe(attempt);
      bool const called_a_failure = attempt.state == AttemptState::failed || attempt.state == AttemptState::canceled;
      EXPECT_FALSE(called_a_failure && charges > 0) << "money that moved is called a failure: " << describe(attempt);
      EXPECT_FALSE(attempt.state == AttemptState::succeeded && charges == 0) << "paid by nobody: " << describe(attempt);
    }
  }

  SeededRandom random_;
  std::string provider_;
  Bank bank_;
  RulesWorld world_;
  std::vector<Flight> flights_;
  int next_ = 1;
  int next_event_ = 1;
};

class HonestBank : public testing::TestWithParam<char const*> {};
INSTANTIATE_TEST_SUITE_P(Each, HonestBank, testing::Values("sure", "forgetful", "blunt"),
                         [](auto const& info) { return std::string{info.param}; });

TEST_P(HonestBank, NeverChargesANumberTwiceNorLosesMoney) {
  std::size_t charges = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Town town{seed, GetParam()};
    for (int i = 0; i < 150 && !HasFailure(); ++i) town.step();
    ASSERT_FALSE(HasFailure());
    town.calm_down();
    if (std::string_view{GetParam()} != "blunt") town.expect_books_and_bank_agree();
    ASSERT_FALSE(HasFailure());
    charges += town.charges();
  }
  EXPECT_GT(charges, 60U) << "the walk must get around, or it would prove nothing";
}

}  // namespace
}  // namespace payonce
