#include "provider/sandbox/classify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace payonce::sandbox {

namespace {

constexpr std::string_view account = "sandbox-account";

ProviderCall call_of(CallKind kind) {
  ProviderCall call{.kind = kind,
                    .key = {MerchantId{"shop"}, OrderId{"A1"}},
                    .attempt = {.id = AttemptId{"pay_1"}, .amount = {1999, Currency::of("USD")}},
                    .refund = {}};
  if (kind == CallKind::refund || kind == CallKind::query_refund)
    call.refund = Refund{.id = RefundId{"ref_1"}, .amount = {1999, Currency::of("USD")}};
  if (kind == CallKind::capture || kind == CallKind::query_capture)
    call.capture = Capture{.id = CaptureId{"cap_1"}, .amount = {1500, Currency::of("USD")}};
  return call;
}

HttpAnswer answered(int status, std::string body) {
  return {.delivery = Delivery::answered, .status = status, .body = std::move(body)};
}

std::string charge(std::string_view status, std::string_view more = "") {
  return fmt::format(R"({{"id":"ch_1","number":"pay_1","status":"{}","amount":1999,"currency":"USD"{}}})", status,
                     more);
}

Answer meaning(int status, std::string body, CallKind kind = CallKind::create) {
  return classify(call_of(kind), answered(status, std::move(body)), account);
}

}  // namespace

TEST(SandboxClassify, EveryStatusHasItsOutcome) {
  struct Row {
    int http_status;
    char const* status;
    Outcome outcome;
  };
  for (auto const& [http_status, status, outcome] : {
           Row{200, "succeeded", Outcome::succeeded},
           Row{200, "pending", Outcome::pending},
           Row{200, "requires_action", Outcome::requires_action},
           Row{200, "authorized", Outcome::authorized},
           Row{402, "declined", Outcome::declined},
           Row{409, "closed", Outcome::declined},
           Row{200, "closed", Outcome::declined},
       }) {
    EXPECT_EQ(meaning(http_status, charge(status)).outcome, outcome) << status;
    EXPECT_EQ(outcome_of(status), outcome);
  }
}

TEST(SandboxClassify, WhatIsNotListedIsInDoubt) {
  for (auto const* const status : {"", "sideways", "SUCCEEDED", "failed", "error", "refused", "declined "})
    EXPECT_EQ(meaning(200, charge(status)).outcome, Outcome::in_doubt) << status;
  for (int const http_status : {100, 201, 202, 204, 301, 400, 401, 403, 404, 408, 410, 422, 429, 500, 502, 503, 504}) {
    EXPECT_EQ(meaning(http_status, charge("declined")).outcome, Outcome::in_doubt) << http_status;
    EXPECT_EQ(meaning(http_status, charge("succeeded")).outcome, Outcome::in_doubt) << http_status;
    EXPECT_EQ(meaning(http_status, charge("declined")).code, fmt::format("http_{}", http_status));
  }
}

TEST(SandboxClassify, NonsenseIsInDoubtAndKept) {
  for (auto const* const body : {"", "<html>502</html>", "[]", "null", "{", R"("succeeded")", "{}",
                                 R"({"number":"pay_1","status":7})", R"({"number":"pay_1","status":null})"}) {
    Answer const answer = meaning(200, body);
    EXPECT_EQ(answer.outcome, Outcome::in_doubt) << body;
  }
  EXPECT_EQ(meaning(502, "<html>").text, "<html>");
}

TEST(SandboxClassify, AnAnswerAboutAnotherNumberIsInDoubt) {
  std::string const other = R"({"id":"ch_1","number":"pay_2","status":"declined","amount":1999,"currency":"USD"})";
  EXPECT_EQ(meaning(402, other).outcome, Outcome::in_doubt);
  EXPECT_EQ(meaning(200, R"({"status":"succeeded"})").outcome, Outcome::in_doubt);
}

TEST(SandboxClassify, NotFoundNeedsTheBanksOwnWordToAQuestion) {
  std::string const not_found = R"({"code":"charge_not_found","message":""})";
  EXPECT_EQ(meaning(404, not_found, CallKind::query).outcome, Outcome::not_found);
  EXPECT_EQ(meaning(404, not_found, CallKind::create).outcome, Outcome::in_doubt) << "a create that finds nothing";
  EXPECT_EQ(meaning(404, not_found, CallKind::close).outcome, Outcome::in_doubt);
  EXPECT_EQ(meaning(404, "<html>not found</html>", CallKind::query).outcome, Outcome::in_doubt) << "a proxy's 404";
  EXPECT_EQ(meaning(404, "{}", CallKind::query).outcome, Outcome::in_doubt);
  EXPECT_EQ(meaning(200, not_found, CallKind::query).outcome, Outcome::in_doubt);
  EXPECT_EQ(meaning(404, not_found, CallKind::query_refund).outcome, Outcome::in_doubt) << "about the charge only";
  EXPECT_EQ(meaning(404, R"({"code":"refund_not_found"})", CallKind::query_refund).outcome, Outcome::not_found);
}

TEST(SandboxClassify, ACallThatWasNotAnsweredSaysWhetherItLeft) {
  HttpAnswer unsent{.delivery = Delivery::never_sent, .error = "connection refused"};
  EXPECT_EQ(classify(call_of(CallKind::create), unsent, account).outcome, Outcome::not_sent);
  // Also with a status: an answer that broke off is none.
  HttpAnswer broken{.delivery = Delivery::in_doubt, .status = 402, .body = charge("declined"), .error = "reset"};
  EXPECT_EQ(classify(call_of(CallKind::create), broken, account).outcome, Outcome::in_doubt);
}

TEST(SandboxClassify, TheAnswersFactsAreRead) {
  Answer const answer =
      meaning(200, charge("requires_action", R"(,"action_url":"http://bank/pay/1","account":"sandbox-account")"));
  EXPECT_EQ(answer.provider_ref, "ch_1");
  EXPECT_EQ(answer.action_url, "http://bank/pay/1");
  EXPECT_EQ(answer.amount, (Money{1999, Currency::of("USD")}));
  EXPECT_EQ(answer.code, "requires_action");
  EXPECT_EQ(answer.misfit, "");
  EXPECT_EQ(meaning(402, charge("declined", R"(,"code":"card_declined")")).code, "card_declined");
}

TEST(SandboxClassify, AnAnswerFromAnotherAccountDoesNotFit) {
  EXPECT_EQ(meaning(200, charge("succeeded", R"(,"account":"somebody")")).misfit,
            "the answer is about account somebody");
}

TEST(SandboxClassify, AHoldSaysHowLongItLasts) {
  Answer const answer = meaning(200, charge("authorized", R"(,"hold_until":"2026-01-02T03:04:05.678Z")"));
  ASSERT_TRUE(answer.hold_until);
  EXPECT_EQ(to_rfc3339(*answer.hold_until), "2026-01-02T03:04:05.678Z");
  EXPECT_EQ(meaning(200, charge("authorized", R"(,"hold_until":"soon")")).hold_until, std::nullopt);
}

TEST(SandboxClassify, ACaptureIsFoundByItsOwnNumber) {
  std::string const capture =
      R"({"id":"cp_1","number":"cap_1","charge_number":"pay_1","status":"succeeded","amount":1500,"currency":"USD"})";
  EXPECT_EQ(meaning(200, capture, CallKind::capture).outcome, Outcome::succeeded);
  EXPECT_EQ(meaning(200, charge("succeeded"), CallKind::capture).outcome, Outcome::in_doubt)
      << "that is the charge's number";
  EXPECT_EQ(meaning(404, R"({"code":"capture_not_found"})", CallKind::query_capture).outcome, Outcome::not_found);
  EXPECT_EQ(meaning(404, R"({"code":"charge_not_found"})", CallKind::query_capture).outcome, Outcome::in_doubt);
}

TEST(SandboxClassify, ARefundIsFoundByItsOwnNumber) {
  std::string const refund =
      R"({"id":"re_1","number":"ref_1","charge_number":"pay_1","status":"succeeded","amount":1999,"currency":"USD"})";
  EXPECT_EQ(meaning(200, refund, CallKind::refund).outcome, Outcome::succeeded);
  EXPECT_EQ(meaning(200, charge("succeeded"), CallKind::refund).outcome, Outcome::in_doubt)
      << "that is the charge's number";
}

}  // namespace payonce::sandbox
