// The whole table of issues, every status, amounts there and back, and what makes an answer count.
#include "provider/paypal/classify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "provider/paypal/amount.h"
#include "provider/paypal/codes.h"
#include "support/rules_world.h"

namespace payonce::paypal {
namespace {

constexpr CallKind kinds[] = {CallKind::create,       CallKind::query,   CallKind::close,        CallKind::refund,
                              CallKind::query_refund, CallKind::capture, CallKind::query_capture};

ProviderCall call_of(CallKind kind, bool is_first = true) {
  ProviderCall call{kind, payonce::order_key(), attempt_in(AttemptState::processing, 1), {}, is_first};
  call.attempt.expires_at = test_start;
  if (kind == CallKind::refund || kind == CallKind::query_refund) {
    call.refund = Refund{.id = refund_id(1), .amount = usd(500)};
    call.refund->tries = is_first ? 0 : 1;
  }
  if (kind == CallKind::capture || kind == CallKind::query_capture) {
    call.capture = Capture{.id = capture_id(1), .amount = usd(1999)};
    call.capture->tries = is_first ? 0 : 1;
  }
  return call;
}

Answer read(CallKind kind, int status, std::string body, bool is_first = true, Time now = test_start) {
  return classify(call_of(kind, is_first), {.delivery = Delivery::answered, .status = status, .body = std::move(body)},
                  now);
}

Answer issue(CallKind kind, int status, std::string_view code, bool is_first = true) {
  return read(kind, status, fmt::format(R"({{"name":"UNPROCESSABLE_ENTITY","details":[{{"issue":"{}"}}]}})", code),
              is_first);
}

std::string order(std::string_view status, std::string_view captures = "") {
  return fmt::format(R"({{"id":"O1","status":"{}","purchase_units":[{{"custom_id":"{}"{}}}],)"
                     R"("links":[{{"rel":"approve","href":"https://www.paypal.com/a"}}]}})",
                     status, attempt_id(1).value, captures);
}

std::string captured(std::string_view status) {
  return order("COMPLETED", fmt::format(R"(,"payments":{{"captures":[{{"id":"C1","status":"{}",)"
                                        R"("amount":{{"value":"19.99","currency_code":"USD"}}}}]}})",
                                        status));
}

TEST(PaypalCodes, EachHasItsOneOutcomePerCall) {
  std::set<std::pair<std::string_view, CallKind>> seen;
  for (CodeMeaning const& line : codes)
    for (CallKind const kind : kinds) {
      if ((line.calls & on(kind)) == 0) continue;
      EXPECT_TRUE(seen.emplace(line.code, kind).second) << line.code << " is listed twice";
      EXPECT_TRUE(line.source.starts_with("https://")) << line.code;
      if (line.code.starts_with("http_")) continue;  // below
      for (bool const is_first : {true, false})
        EXPECT_EQ(issue(kind, 422, line.code, is_first).outcome, outcome_of(line.meaning, call_of(kind, is_first)))
            << line.code << " " << to_text(kind);
      for (int const status : {429, 500, 503})
        EXPECT_EQ(issue(kind, status, line.code).outcome, Outcome::in_doubt) << "trouble on the way";
    }
}

TEST(PaypalCodes, UnlistedIsInDoubt) {
  for (CallKind const kind : kinds) {
    for (int const status : {400, 404, 409, 422}) {
      EXPECT_EQ(issue(kind, status, "BRAND_NEW").outcome, Outcome::in_doubt);
      EXPECT_EQ(read(kind, status, R"({"name":"RESOURCE_CONFLICT"})").outcome, Outcome::in_doubt);
    }
    EXPECT_EQ(read(kind, 404, R"({"details":[{"issue":"INVALID_RESOURCE_ID"}]})").outcome, Outcome::in_doubt);
  }
  EXPECT_EQ(read(CallKind::create, 403, R"({"name":"NOT_AUTHORIZED"})").outcome, Outcome::declined);
  EXPECT_EQ(read(CallKind::create, 401, R"({"error":"invalid_token"})", false).outcome, Outcome::in_doubt);
}

TEST(PaypalOrder, EveryStatusHasItsOutcome) {
  for (auto const& [status, outcome] :
       {std::pair{"CREATED", Outcome::requires_action}, std::pair{"SAVED", Outcome::requires_action},
        std::pair{"PAYER_ACTION_REQUIRED", Outcome::requires_action}, std::pair{"APPROVED", Outcome::pending},
        std::pair{"VOIDED", Outcome::declined}, std::pair{"COMPLETED", Outcome::in_doubt},
        std::pair{"", Outcome::in_doubt}})
    EXPECT_EQ(read(CallKind::query, 200, order(status)).outcome, outcome) << status;
  EXPECT_EQ(read(CallKind::create, 201, order("CREATED")).action_url, "https://www.paypal.com/a");
}

TEST(PaypalOrder, ThatWasNotCapturedInItsTimeNeverWillBe) {
  Time const over = settled_by(call_of(CallKind::query).attempt);
  for (auto const* const status : {"CREATED", "PAYER_ACTION_REQUIRED", "APPROVED"}) {
    EXPECT_NE(read(CallKind::query, 200, order(status), true, over).outcome, Outcome::declined) << "not yet";
    EXPECT_EQ(read(CallKind::query, 200, order(status), true, over + 1ms).outcome, Outcome::declined) << status;
  }
  EXPECT_EQ(read(CallKind::query, 200, captured("COMPLETED"), true, over + 1h).outcome, Outcome::succeeded);
  EXPECT_EQ(read(CallKind::query, 200, captured("PENDING"), true, over + 1h).outcome, Outcome::pending);
  EXPECT_EQ(read(CallKind::query, 200, order("BRAND_NEW"), true, over + 1h).outcome, Outcome::in_doubt);
}

TEST(PaypalCapture, EveryStatusHasItsOutcome) {
  for (auto const& [status, outcome] :
       {std::pair{"COMPLETED", Outcome::succeeded}, std::pair{"PENDING", Outcome::pending},
        std::pair{"DECLINED", Outcome::declined}, std::pair{"FAILED", Outcome::declined},
        std::pair{"NEW", Outcome::in_doubt}}) {
    Answer const answer = read(CallKind::query, 201, captured(status));
    EXPECT_EQ(answer.outcome, outcome) << status;
    EXPECT_EQ(answer.provider_ref, "O1") << "the order's: a capture is found by it";
    EXPECT_EQ(answer.misfit, "");
  }
  EXPECT_EQ(read(CallKind::query, 201, captured("COMPLETED")).amount, usd(1999));
  for (auto const* const status : {"REFUNDED", "PARTIALLY_REFUNDED"})
    EXPECT_NE(read(CallKind::query, 200, captured(status)).misfit, "") << "for a person";
}

TEST(PaypalRefund, EveryStatusHasItsOutcome) {
  for (auto const& [status, outcome] : {std::pair{"COMPLETED", Outcome::succeeded},
                                        std::pair{"PENDING", Outcome::pending}, std::pair{"FAILED", Outcome::declined},
                                        std::pair{"CANCELLED", Outcome::declined}, std::pair{"", Outcome::in_doubt}})
    EXPECT_EQ(read(CallKind::refund, 201,
                   fmt::format(R"({{"id":"R1","status":"{}","invoice_id":"{}"}})", status, refund_id(1).value))
                  .outcome,
              outcome)
        << status;
}

TEST(PaypalMark, GoesThereAndBack) {
  Mark const mark = parse_mark(refund_mark(attempt_id(1), refund_id(2)));
  EXPECT_EQ(mark.payment, attempt_id(1).value);
  EXPECT_EQ(mark.refund, refund_id(2).value);
  EXPECT_EQ(parse_mark(attempt_id(1).value).refund, "");
}

TEST(PaypalAmount, IsPaypalsOwnWriting) {
  struct Row {
    char const* currency;
    std::int64_t minor;
    char const* text;
  };
  for (auto const& [currency, minor, text] :
       {Row{"USD", 1999, "19.99"}, Row{"USD", 5, "0.05"}, Row{"JPY", 80, "80"}, Row{"HUF", 50'000, "500"},
        Row{"TWD", 100, "1"}, Row{"CNY", 100, "1.00"}}) {
    Money const amount{minor, Currency::of(currency)};
    EXPECT_EQ(wire_amount(amount), text);
    EXPECT_EQ(read_amount(text, currency), amount);
    EXPECT_EQ(refuses(amount), "");
  }
  for (auto const& [currency, minor] :
       {std::pair{"HUF", 50}, std::pair{"TWD", 199}, std::pair{"KWD", 1000}, std::pair{"KRW", 1000}})
    EXPECT_NE(refuses({minor, Currency::of(currency)}), "") << currency;
  for (auto const* const text : {"", "1e3", "19.999", "-1", "19,99"}) EXPECT_FALSE(read_amount(text, "USD")) << text;
}

}  // namespace
}  // namespace payonce::paypal
