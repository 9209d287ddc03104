// What came of a call is recorded about the thing that it was about, as the kind of evidence that it is.
#include "payment/call_kind.h"

#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

constexpr std::array every_kind{CallKind::create,       CallKind::query,   CallKind::close,        CallKind::refund,
                                CallKind::query_refund, CallKind::capture, CallKind::query_capture};

// Each of the three has a time of its own.
ProviderCall call(CallKind kind) {
  ProviderCall made{.kind = kind, .key = order_key(), .attempt = attempt_in(AttemptState::unknown, 1), .refund = {}};
  made.attempt.tries = 3;
  made.attempt.due_at = test_start + 1s;
  if (is_about_refund(kind))
    made.refund = Refund{.id = refund_id(1), .attempt = attempt_id(1), .amount = usd(500), .due_at = test_start + 2s};
  if (is_about_capture(kind))
    made.capture =
        Capture{.id = capture_id(1), .attempt = attempt_id(1), .amount = usd(500), .due_at = test_start + 3s};
  return made;
}

Evidence evidence_of(CallKind kind) {
  return std::visit(
      [](auto const& it) {
        if constexpr (requires { it.evidence; }) return it.evidence;
        return Evidence::operator_;
      },
      outcome_of(call(kind), answer(Outcome::pending)));
}

TEST(CallKind, OnlyWhatAsksAndChangesNothingIsEvidenceByQuestion) {
  for (CallKind const kind : every_kind) {
    bool const asks = kind == CallKind::query || kind == CallKind::query_refund || kind == CallKind::query_capture;
    EXPECT_EQ(evidence_of(kind), asks ? Evidence::query : Evidence::response) << to_text(kind);
  }
}

TEST(CallKind, TheAnswerIsRecordedForWhatTheCallWasAbout) {
  for (CallKind const kind : {CallKind::create, CallKind::query, CallKind::close}) {
    Command const command = outcome_of(call(kind), answer(Outcome::pending, "said"));
    auto const& it = std::get<RecordOutcome>(command);
    EXPECT_EQ(it.key, order_key());
    EXPECT_EQ(it.attempt, attempt_id(1));
    EXPECT_EQ(it.answer.code, "said");
  }
  for (CallKind const kind : {CallKind::refund, CallKind::query_refund}) {
    Command const command = outcome_of(call(kind), answer(Outcome::pending, "said"));
    auto const& it = std::get<RecordRefundOutcome>(command);
    EXPECT_EQ(it.key, order_key());
    EXPECT_EQ(it.refund, refund_id(1));
    EXPECT_EQ(it.answer.code, "said");
  }
  for (CallKind const kind : {CallKind::capture, CallKind::query_capture}) {
    Command const command = outcome_of(call(kind), answer(Outcome::pending, "said"));
    auto const& it = std::get<RecordCaptureOutcome>(command);
    EXPECT_EQ(it.key, order_key());
    EXPECT_EQ(it.capture, capture_id(1));
    EXPECT_EQ(it.answer.code, "said");
  }
}

TEST(CallKind, OnlyAFirstCreateMayProveThatNothingLeft) {
  ProviderCall create = call(CallKind::create);
  EXPECT_EQ(std::get<RecordOutcome>(outcome_of(create, {})).first_create_at_try, std::nullopt);
  create.first_create = true;
  EXPECT_EQ(std::get<RecordOutcome>(outcome_of(create, {})).first_create_at_try, 3)
      << "who took it up meanwhile has counted on";
}

TEST(Lease, IsThatOfTheThingThatTheCallIsAbout) {
  for (CallKind const kind : every_kind) {
    Millis const expected = is_about_refund(kind) ? 2s : is_about_capture(kind) ? 3s : 1s;
    EXPECT_EQ(lease_of(call(kind)), test_start + expected) << to_text(kind);
  }
}

TEST(Lease, OfWhatRecoveryDoesNotLookAtIsNeverOver) {
  for (CallKind const kind : every_kind) {
    ProviderCall late = call(kind);
    late.attempt.due_at.reset();
    if (late.refund) late.refund->due_at.reset();
    if (late.capture) late.capture->due_at.reset();
    EXPECT_EQ(lease_of(late), Time::max()) << to_text(kind);
  }
}

}  // namespace
}  // namespace payonce
