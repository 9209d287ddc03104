// Each word of the rules has one text, and the text finds the word again.
#include "payment/state.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "payment/rules.h"
#include "payment/statement.h"
#include "payment/transition.h"

namespace payonce {
namespace {

void expect_round_trip(auto const& values, auto parse) {
  std::set<std::string_view> texts;
  for (auto const value : values) {
    EXPECT_TRUE(texts.insert(to_text(value)).second) << to_text(value);
    EXPECT_FALSE(to_text(value).empty());
    EXPECT_EQ(parse(to_text(value)), value);
  }
  EXPECT_EQ(parse(""), std::nullopt);
  EXPECT_EQ(parse("nonsense"), std::nullopt);
}

TEST(StateText, FindsItsWordAgain) {
  expect_round_trip(attempt_states, parse_attempt_state);
  expect_round_trip(order_states, parse_order_state);
  expect_round_trip(refund_states, parse_refund_state);
  expect_round_trip(capture_states, parse_capture_state);
  expect_round_trip(capture_modes, parse_capture_mode);
  expect_round_trip(policies, parse_policy);
  expect_round_trip(outcomes, parse_outcome);
  expect_round_trip(evidences, parse_evidence);
  expect_round_trip(std::array{EffectState::pending, EffectState::delivered, EffectState::dead}, parse_effect_state);
  using enum NoticeDisposition;
  expect_round_trip(std::array{applied, misfit, unmatched, foreign}, parse_notice_disposition);
  using enum DiscrepancyKind;
  expect_round_trip(std::array{DiscrepancyKind::unknown, differs, changed, missing}, parse_discrepancy_kind);
}

TEST(StateText, IsUpperCaseOnTheWire) {
  EXPECT_EQ(to_text(AttemptState::requires_action), "REQUIRES_ACTION");
  EXPECT_EQ(parse_attempt_state("processing"), std::nullopt);
  EXPECT_EQ(to_text(RefundState::unknown), "R_UNKNOWN") << "no refund state can be taken for one of a payment";
}

TEST(StateText, EventsAndCallsHaveTextsToo) {
  std::set<std::string_view> texts;
  for (Event const event : events) EXPECT_TRUE(texts.insert(to_text(event)).second);
  EXPECT_FALSE(texts.contains(""));
  for (CallKind const kind : {CallKind::create, CallKind::query, CallKind::close, CallKind::refund,
                              CallKind::query_refund, CallKind::capture, CallKind::query_capture})
    EXPECT_FALSE(to_text(kind).empty());
}

// What no build of ours writes: a value that none of our words has, as memory that went bad would hold.
template <class Enum>
constexpr Enum beyond = static_cast<Enum>(99);

TEST(CaptureModes, HaveTheirNames) {
  EXPECT_EQ(to_text(CaptureMode::automatic), "automatic");
  EXPECT_EQ(to_text(CaptureMode::manual), "manual");
}

TEST(NoWordOfOurs, HasNoTextAndProvesNothing) {
  EXPECT_EQ(to_text(beyond<AttemptState>), "");
  EXPECT_EQ(to_text(beyond<OrderState>), "");
  EXPECT_EQ(to_text(beyond<RefundState>), "");
  EXPECT_EQ(to_text(beyond<CaptureState>), "");
  EXPECT_EQ(to_text(beyond<Policy>), "");
  EXPECT_EQ(to_text(beyond<RefundOrigin>), "");
  EXPECT_EQ(to_text(beyond<Outcome>), "");
  EXPECT_EQ(to_text(beyond<Evidence>), "");
  EXPECT_EQ(to_text(beyond<Event>), "");
  EXPECT_EQ(to_text(beyond<Trigger>), "");
  EXPECT_EQ(to_text(beyond<EffectState>), "");
  EXPECT_EQ(to_text(beyond<NoticeDisposition>), "");
  EXPECT_EQ(to_text(beyond<CallKind>), "");
  EXPECT_EQ(to_text(beyond<DiscrepancyKind>), "");
  EXPECT_EQ(event_type(beyond<AttemptState>), "");
  EXPECT_EQ(event_type(beyond<RefundState>), "");
  EXPECT_EQ(event_type(beyond<CaptureState>), "");
  EXPECT_EQ(event_of(beyond<Outcome>, true), Event::in_doubt);
  EXPECT_FALSE(can_carry(beyond<Evidence>, Outcome::succeeded));
  EXPECT_FALSE(is_live(beyond<AttemptState>));
  EXPECT_FALSE(has_come(beyond<AttemptState>));
}

TEST(Outcome, OfItsRefusalsOnlyADeclineAfterAWishToCancelIsAClosing) {
  for (Outcome const outcome : outcomes) {
    // A lost dispute is a reversal like any other.
    std::string_view const name = to_text(outcome == Outcome::dispute_lost ? Outcome::reversed : outcome);
    EXPECT_EQ(to_text(event_of(outcome, false)), name);
    EXPECT_EQ(to_text(event_of(outcome, true)), outcome == Outcome::declined ? "closed" : name);
  }
}

}  // namespace
}  // namespace payonce
