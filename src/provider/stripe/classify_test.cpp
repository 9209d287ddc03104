// The whole table of codes, every status, and what makes an answer count.
#include "provider/stripe/classify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "provider/answers.h"
#include "provider/stripe/codes.h"
#include "support/rules_world.h"

namespace payonce::stripe {
namespace {

ProviderCall call_of(CallKind kind, bool is_first = true) {
  ProviderCall call{kind, payonce::order_key(), attempt_in(AttemptState::processing, 1), {}, is_first};
  call.attempt.provider_ref = "pi_1";
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

std::string intent(std::string_view status, std::string_view more = "", std::string_view confirm = "server") {
  return fmt::format(R"({{"id":"pi_1","object":"payment_intent","status":"{}","amount":1999,"amount_received":1999,)"
                     R"("currency":"usd","livemode":false,"client_secret":"pi_1_secret_x",)"
                     R"("metadata":{{"payonce_payment":"{}","payonce_confirm":"{}"}}{}}})",
                     status, attempt_id(1).value, confirm, more);
}

Answer meaning(CallKind kind, int status, std::string body, bool is_first = true) {
  return classify(call_of(kind, is_first), {.delivery = Delivery::answered, .status = status, .body = std::move(body)},
                  false);
}

Answer error(CallKind kind, int status, std::string_view code, bool is_first = true) {
  return meaning(kind, status, fmt::format(R"({{"error":{{"type":"x","code":"{}"}}}})", code), is_first);
}

constexpr CallKind kinds[] = {CallKind::create,       CallKind::query,   CallKind::close,        CallKind::refund,
                              CallKind::query_refund, CallKind::capture, CallKind::query_capture};

TEST(StripeCodes, EachHasItsOneOutcomePerCall) {
  std::set<std::pair<std::string_view, CallKind>> seen;
  for (CodeMeaning const& line : codes)
    for (CallKind const kind : kinds) {
      if ((line.calls & on(kind)) == 0) {
        if (meaning_of(codes, kind, line.code) == Meaning::in_doubt) {
          EXPECT_EQ(error(kind, 400, line.code).outcome, Outcome::in_doubt) << line.code << " " << to_text(kind);
        }
        continue;
      }
      EXPECT_TRUE(seen.emplace(line.code, kind).second) << line.code << " is listed twice";
      EXPECT_TRUE(line.source.starts_with("https://")) << line.code;
      if (line.code.starts_with("http_") || line.code == "idempotency_error") continue;  // below
      for (bool const is_first : {true, false})
        EXPECT_EQ(error(kind, 402, line.code, is_first).outcome, outcome_of(line.meaning, call_of(kind, is_first)))
            << line.code << " " << to_text(kind);
      EXPECT_TRUE(line.meaning != Meaning::succeeded && line.meaning != Meaning::not_found) << line.code;
    }
}

TEST(StripeCodes, ByStatusAndType) {
  for (int const status : {401, 403}) {
    EXPECT_EQ(meaning(CallKind::create, status, R"({"error":{"type":"invalid_request_error"}})").outcome,
              Outcome::declined);
    EXPECT_EQ(meaning(CallKind::create, status, R"({"error":{"type":"invalid_request_error"}})", false).outcome,
              Outcome::in_doubt);
  }
  EXPECT_EQ(meaning(CallKind::create, 400, R"({"error":{"type":"idempotency_error","code":"card_declined"}})").outcome,
            Outcome::in_doubt)
      << "the first request under the key may have charged";
  EXPECT_EQ(meaning(CallKind::create, 400, R"({"error":{"type":"invalid_request_error"}})").outcome, Outcome::in_doubt);
  EXPECT_EQ(error(CallKind::create, 402, "brand_new_code").outcome, Outcome::in_doubt);
}

TEST(StripeCodes, TroubleOnTheWayHidesTheCode) {
  for (int const status : {200, 302, 409, 424, 429, 500, 502, 503, 504})
    for (auto const* const code : {"card_declined", "amount_too_large", "charge_disputed"})
      for (CallKind const kind : kinds)
        EXPECT_EQ(error(kind, status, code).outcome, Outcome::in_doubt) << status << " " << code;
}

TEST(StripeIntent, EveryStatusHasItsOutcome) {
  for (auto const& [status, outcome] : {
           std::pair{"succeeded", Outcome::succeeded},
           std::pair{"canceled", Outcome::declined},
           std::pair{"processing", Outcome::pending},
           std::pair{"requires_action", Outcome::requires_action},
           std::pair{"requires_capture", Outcome::authorized},
           std::pair{"requires_confirmation", Outcome::pending},
           std::pair{"requires_payment_method", Outcome::pending},
           std::pair{"partially_funded", Outcome::in_doubt},
           std::pair{"SUCCEEDED", Outcome::in_doubt},
           std::pair{"", Outcome::in_doubt},
       })
    for (CallKind const kind : {CallKind::create, CallKind::query, CallKind::close})
      EXPECT_EQ(meaning(kind, 200, intent(status)).outcome, outcome) << status;
}

TEST(StripeIntent, ARefusedCardEndsItOnlyIfNobodyElseCanTryAgain) {
  std::string const refused = R"(,"last_payment_error":{"code":"card_declined"})";
  Answer const by_us = meaning(CallKind::query, 200, intent("requires_payment_method", refused));
  EXPECT_EQ(by_us.outcome, Outcome::declined);
  EXPECT_EQ(by_us.code, "card_declined");
  Answer const by_buyer = meaning(CallKind::query, 200, intent("requires_payment_method", refused, "browser"));
  EXPECT_EQ(by_buyer.outcome, Outcome::requires_action) << "the buyer's page may try another card";
  EXPECT_EQ(by_buyer.action_url, "pi_1_secret_x");
}

TEST(StripeIntent, SaysWhereTheBuyerGoesAndKeepsItsSecretOutOfTheBooks) {
  Answer const answer = meaning(
      CallKind::create, 200,
      intent("requires_action",
             R"(,"next_action":{"type":"redirect_to_url","redirect_to_url":{"url":"https://hooks.stripe.com/3ds"}})"));
  EXPECT_EQ(answer.action_url, "https://hooks.stripe.com/3ds");
  EXPECT_EQ(answer.text.find("secret_x"), std::string::npos);
  EXPECT_EQ(answer.provider_ref, "pi_1");
}

TEST(StripeIntent, ThatDoesNotFitIsSaid) {
  EXPECT_EQ(meaning(CallKind::query, 200, intent("succeeded")).amount, usd(1999));
  std::string live = intent("succeeded");
  live.replace(live.find("\"livemode\":false"), 16, "\"livemode\":true ");
  EXPECT_NE(meaning(CallKind::query, 200, live).misfit, "");
  std::string odd = intent("succeeded");
  odd.replace(odd.find("\"usd\""), 5, "\"ugx\"");
  EXPECT_NE(meaning(CallKind::query, 200, odd).misfit, "") << "an amount that can't be compared";
}

TEST(StripeCapture, IsToldByThePaymentItself) {
  std::string const held = intent("requires_capture", R"(,"amount_capturable":1999)");
  EXPECT_EQ(meaning(CallKind::query, 200, held).amount, usd(1999));
  EXPECT_EQ(meaning(CallKind::query_capture, 200, held).outcome, Outcome::not_found) << "so that it is sent again";
  EXPECT_EQ(meaning(CallKind::capture, 200, held).outcome, Outcome::pending) << "and asked about";
  Answer const done = meaning(CallKind::capture, 200, intent("succeeded", R"(,"latest_charge":"ch_1")"));
  EXPECT_EQ(done.outcome, Outcome::succeeded);
  EXPECT_EQ(done.amount, usd(1999)) << "what was received";
  EXPECT_EQ(done.provider_ref, "ch_1");
  EXPECT_EQ(meaning(CallKind::query_capture, 200, intent("canceled")).outcome, Outcome::declined);
  EXPECT_EQ(error(CallKind::capture, 400, "charge_expired_for_capture").outcome, Outcome::declined);
  EXPECT_EQ(error(CallKind::capture, 400, "charge_already_captured").outcome, Outcome::in_doubt) << "by whom?";
  std::string const unexpected =
      R"({"error":{"code":"payment_intent_unexpected_state","payment_intent":)" + intent("succeeded") + "}}";
  EXPECT_EQ(meaning(CallKind::capture, 400, unexpected).outcome, Outcome::succeeded);
}

TEST(StripeError, ThatShowsThePaymentIsBelievedAboutIt) {
  auto const unexpected = [](std::string const& object) {
    return meaning(CallKind::close, 400,
                   R"({"error":{"code":"payment_intent_unexpected_state","payment_intent":)" + object + "}}");
  };
  EXPECT_EQ(unexpected(intent("succeeded")).outcome, Outcome::succeeded) << "already paid wins";
  EXPECT_EQ(unexpected(intent("canceled")).outcome, Outcome::declined);
  EXPECT_EQ(unexpected(intent("processing")).outcome, Outcome::pending);
  EXPECT_EQ(unexpected(R"({"id":"pi_2","status":"canceled","metadata":{"payonce_payment":"other"}})").outcome,
            Outcome::in_doubt);
  Answer const later =
      meaning(CallKind::create, 402,
              R"({"error":{"code":"processing_error","payment_intent":)" + intent("requires_payment_method") + "}}");
  EXPECT_EQ(later.outcome, Outcome::in_doubt);
  EXPECT_EQ(later.provider_ref, "pi_1") << "so that it can be asked about";
}

TEST(StripeRefund, EveryStatusHasItsOutcome) {
  for (auto const& [status, outcome] : {
           std::pair{"succeeded", Outcome::succeeded},
           std::pair{"failed", Outcome::declined},
           std::pair{"canceled", Outcome::declined},
           std::pair{"pending", Outcome::pending},
           std::pair{"requires_action", Outcome::pending},
           std::pair{"reversed", Outcome::in_doubt},
       }) {
    std::string const refund =
        fmt::format(R"({{"id":"re_1","object":"refund","status":"{}","amount":500,"currency":"usd",)"
                    R"("metadata":{{"payonce_refund":"{}"}}}})",
                    status, refund_id(1).value);
    Answer const answer = meaning(CallKind::refund, 200, refund);
    EXPECT_EQ(answer.outcome, outcome) << status;
    EXPECT_EQ(answer.amount, usd(500));
  }
}

}  // namespace
}  // namespace payonce::stripe
