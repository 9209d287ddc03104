#include "http/checkout_view.h"

#include <gtest/gtest.h>

namespace payonce {

namespace {

using namespace std::chrono_literals;

Time const now = from_epoch_ms(1'800'000'000'000);
CheckoutGrant const grant{{MerchantId{"shop"}, OrderId{"A1"}}, now + 1h, ""};

// An order with one payment in this state.
Order order_with(AttemptState state) {
  Money const amount{1999, Currency::of("CNY")};
  return {.head = {.key = grant.key, .amount = amount, .metadata = {}, .created_at = now, .updated_at = now},
          .attempts = {{.id = AttemptId{"pay_1"},
                        .provider = "sandbox",
                        .amount = amount,
                        .state = state,
                        .expires_at = now + 30min,
                        .created_at = now}},
          .refunds = {}};
}

CheckoutSettings settings_with_two_methods() {
  CheckoutSettings settings;
  settings.methods[grant.key.merchant] = {{"sandbox", "", "Card", "银行卡"}, {"sandbox", "approve", "Wallet", "钱包"}};
  return settings;
}

CheckoutView view_at(Order const& order, Time time) { return view_of(order, grant, settings_with_two_methods(), time); }

}  // namespace

TEST(CheckoutView, SaysWhenItTakesLonger) {
  Order const order = order_with(AttemptState::unknown);
  EXPECT_EQ(view_at(order, now + 59s).message.zh, "支付结果确认中，请勿重复付款。");
  EXPECT_NE(view_at(order, now + 60s).message.en.find("longer than usual"), std::string_view::npos);
  EXPECT_NE(view_at(order, now + 60s).message.en.find("do not pay again"), std::string_view::npos);
}

TEST(CheckoutView, OffersAnotherWayOnlyWhereTheBuyerHasToAct) {
  for (AttemptState const state : {AttemptState::processing, AttemptState::unknown}) {
    CheckoutView const view = view_at(order_with(state), now);
    EXPECT_EQ(view.situation, Situation::confirming);
    EXPECT_TRUE(view.offer.empty());
    EXPECT_TRUE(view.methods.empty());
  }
  CheckoutView const view = view_at(order_with(AttemptState::requires_action), now);
  EXPECT_EQ(view.offer, "2-1999-CNY-replace");
  ASSERT_EQ(view.methods.size(), 1U);
  EXPECT_EQ(view.methods[0].id(), "sandbox:approve");
  EXPECT_TRUE(view_at(order_with(AttemptState::requires_action), grant.expires_at).offer.empty()) << "an old token";
}

TEST(CheckoutView, WhatIsGivenUpMayBeFinishedUntilItsEnd) {
  Order order = order_with(AttemptState::requires_action);
  order.attempts[0].cancel_requested = true;
  EXPECT_EQ(view_at(order, now).situation, Situation::closing);
  EXPECT_TRUE(view_at(order, now).offer.empty());
  EXPECT_EQ(view_at(order, now + 30min).situation, Situation::confirming);
}

TEST(CheckoutOffer, ReadsWhatWasOffered) {
  auto const offer = parse_offer("2-1999-CNY-replace");
  ASSERT_TRUE(offer);
  EXPECT_EQ(offer->number, 2);
  EXPECT_EQ(offer->amount_minor, 1999);
  EXPECT_EQ(offer->currency, "CNY");
  EXPECT_TRUE(offer->replaces);
  EXPECT_FALSE(parse_offer("2-1999-CNY")->replaces);
  for (char const* wrong : {"-replace", "2-1999-CNY-REPLACE", "2-1999-replace", "2-1999-CNY-replace-replace", ""})
    EXPECT_FALSE(parse_offer(wrong)) << wrong;
}

}  // namespace payonce
