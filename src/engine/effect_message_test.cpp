// Effects as Standard Webhooks. The signatures below were made with another program (openssl dgst -hmac).
#include "engine/effect_message.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/crypto.h"

namespace payonce {

namespace {

constexpr Time paid_at{Millis{1'760'000'000'000}};
constexpr std::string_view first_secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
constexpr std::string_view body =
    R"({"type":"payment.succeeded","timestamp":"2025-10-09T08:53:20.000Z","data":{"effect":"ship",)"
    R"("order_id":"PA-1001","payment_id":"pay_1","amount":1999,"currency":"USD","provider":"sandbox"}})";
constexpr std::string_view first_signature = "v1,3pg+nHqfTZDPBtNNA2177q0l4p4RXs4HU6q9ovEGKsQ=";
constexpr std::string_view next_signature = "v1,UOuEmxSzerVF2bOzAxdluU1uau4S6rV/ShfQx8lqzso=";

DueEffect due() {
  DueEffect due{.effect = {.key = {MerchantId{"shop"}, OrderId{"PA-1001"}},
                           .attempt = AttemptId{"pay_1"},
                           .name = "ship",
                           .due_at = {},
                           .created_at = paid_at,
                           .delivered_at = {},
                           .last_error = {}},
                .attempt = {.id = AttemptId{"pay_1"}, .amount = {1999, Currency::of("USD")}}};
  due.attempt.provider = "sandbox";
  return due;
}

EffectTarget target() {
  return {"ship",
          "http://127.0.0.1/ship",
          {*parse_effect_secret(first_secret), std::string(32, 'n')},
          Millis{2'000},
          Trigger::payment_succeeded};
}

}  // namespace

TEST(EffectMessage, TheBodyTellsWhatWasPaid) { EXPECT_EQ(effect_body(due(), Trigger::payment_succeeded), body); }

TEST(EffectMessage, TheBodyTellsWhatWentBack) {
  DueEffect refunded = due();
  refunded.refund = Refund{.id = RefundId{"ref_1"},
                           .attempt = AttemptId{"pay_1"},
                           .key = "r-1",
                           .reason = "late",
                           .amount = {500, Currency::of("USD")}};
  refunded.effect.refund = RefundId{"ref_1"};
  EXPECT_EQ(refunded.effect.id(), "ref_1.ship");
  EXPECT_EQ(effect_body(refunded, Trigger::refund_failed),
            R"({"type":"refund.failed","timestamp":"2025-10-09T08:53:20.000Z","data":{"effect":"ship",)"
            R"("order_id":"PA-1001","payment_id":"pay_1","amount":500,"currency":"USD","provider":"sandbox",)"
            R"("refund_id":"ref_1","reason":"late","surplus":false}})");
}

TEST(EffectMessage, TheBodyTellsOfAHoldWhatIsHeldAndThenWhatCameOfIt) {
  DueEffect hold = due();
  hold.attempt.state = AttemptState::authorized;
  EXPECT_TRUE(effect_body(hold, Trigger::payment_authorized).contains(R"("amount":1999,)"));
  hold.attempt.state = AttemptState::succeeded;
  hold.attempt.captured_minor = 1500;
  EXPECT_TRUE(effect_body(hold, Trigger::payment_succeeded).contains(R"("amount":1500,)"));
}

TEST(EffectMessage, TheBodyNamesThePartThatWasPaid) {
  DueEffect part = due();
  part.attempt.part = "deposit";
  EXPECT_TRUE(effect_body(part, Trigger::payment_succeeded).ends_with(R"("provider":"sandbox","part":"deposit"}})"));
}

TEST(EffectMessage, TheSignatureIsTheStandardsForEverySecret) {
  EXPECT_EQ(effect_signature("pay_1.ship", "1760000000", body, target().secrets),
            std::string{first_signature} + " " + std::string{next_signature});
  auto const one = target().secrets;
  EXPECT_EQ(effect_signature("pay_1.ship", "1760000000", body, std::span{one}.first(1)), first_signature);
}

TEST(EffectMessage, ATryCarriesItsOwnTimeAndTheEffectsId) {
  HttpCall const first = effect_call(due(), target(), paid_at);
  HttpCall const later = effect_call(due(), target(), paid_at + Millis{61'000});
  EXPECT_EQ(first.method, "POST");
  EXPECT_EQ(first.url, "http://127.0.0.1/ship");
  EXPECT_EQ(first.total_timeout, Millis{2'000});
  EXPECT_EQ(find_header(first.headers, "webhook-id"), "pay_1.ship");
  EXPECT_EQ(find_header(later.headers, "webhook-id"), "pay_1.ship");
  EXPECT_EQ(find_header(first.headers, "webhook-timestamp"), "1760000000");
  EXPECT_EQ(find_header(later.headers, "webhook-timestamp"), "1760000061");
  EXPECT_EQ(find_header(first.headers, "webhook-signature"),
            std::string{first_signature} + " " + std::string{next_signature});
  EXPECT_NE(find_header(first.headers, "webhook-signature"), find_header(later.headers, "webhook-signature"));
  EXPECT_EQ(first.body, later.body);
}

TEST(EffectMessage, ASecretIsWhsecAndBase64OfEnoughBytes) {
  EXPECT_EQ(parse_effect_secret(first_secret)->size(), 24u);
  EXPECT_TRUE(parse_effect_secret("whsec_" + base64_encode(std::string(64, 's'))));
  EXPECT_FALSE(parse_effect_secret("whsec_" + base64_encode(std::string(65, 's'))));
  for (std::string_view const text :
       {"", "whsec_", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRY=", "whsec_not base64!",
        "WHSEC_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"}) {
    auto const secret = parse_effect_secret(text);
    ASSERT_FALSE(secret) << text;
    EXPECT_TRUE(text.size() < 8 || secret.error().detail.find(text) == std::string::npos) << "no secret in an error";
  }
}

}  // namespace payonce
