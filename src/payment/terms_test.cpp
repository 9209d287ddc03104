// The words of the configuration: each has one text, which finds it again.
#include "payment/terms.h"

#include <gtest/gtest.h>

#include <array>

namespace payonce {
namespace {

TEST(Trigger, IsNamedAsInConfigurationAndMessages) {
  struct Case {
    Trigger trigger;
    std::string_view text;
  };
  for (auto const& [trigger, text] :
       {Case{Trigger::order_paid, "order.paid"}, Case{Trigger::payment_succeeded, "payment.succeeded"},
        Case{Trigger::payment_authorized, "payment.authorized"}, Case{Trigger::payment_surplus, "payment.surplus"},
        Case{Trigger::payment_disputed, "payment.disputed"}, Case{Trigger::dispute_won, "payment.dispute_won"},
        Case{Trigger::payment_reversed, "payment.reversed"}, Case{Trigger::refund_succeeded, "refund.succeeded"},
        Case{Trigger::refund_failed, "refund.failed"}}) {
    EXPECT_EQ(to_text(trigger), text) << "shops have it in their configuration";
    EXPECT_EQ(parse_trigger(text), trigger);
  }
  EXPECT_EQ(parse_trigger("payment.failed"), std::nullopt);
  EXPECT_EQ(parse_trigger(""), std::nullopt);
}

TEST(MerchantWords, FindTheirSettingAndNoOther) {
  EXPECT_EQ(to_text(SwitchMode::strict), "strict");
  EXPECT_EQ(to_text(SwitchMode::release), "release");
  EXPECT_EQ(parse_switch_mode("strict"), SwitchMode::strict);
  EXPECT_EQ(parse_switch_mode("release"), SwitchMode::release);
  EXPECT_EQ(parse_switch_mode("Strict"), std::nullopt);
  EXPECT_EQ(to_text(SurplusPolicy::automatic), "automatic");
  EXPECT_EQ(to_text(SurplusPolicy::manual), "manual");
  EXPECT_EQ(parse_surplus_policy("automatic"), SurplusPolicy::automatic);
  EXPECT_EQ(parse_surplus_policy("manual"), SurplusPolicy::manual);
  EXPECT_EQ(parse_surplus_policy(""), std::nullopt);
}

}  // namespace
}  // namespace payonce
