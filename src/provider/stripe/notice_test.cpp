// What Stripe's events about disputes, and about refunds that are none of ours, say.
#include "provider/stripe/notice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace payonce::stripe {
namespace {

Notice read(std::string_view type, std::string const& object) {
  return *parse_event(fmt::format(R"({{"id":"evt_1","type":"{}","data":{{"object":{}}}}})", type, object), "", false);
}

Notice dispute(std::string_view type, std::string_view status) {
  return read(type, fmt::format(R"({{"id":"dp_1","object":"dispute","payment_intent":"pi_1","amount":1999,)"
                                R"("currency":"usd","metadata":{{}},"status":"{}"}})",
                                status));
}

TEST(StripeNotice, ADisputeNamesTheIntentAndItsEventSaysWhatBecameOfTheMoney) {
  struct Line {
    std::string_view type;
    std::string_view status;
    Outcome outcome;
  };
  for (auto const& [type, status, outcome] : {
           Line{"charge.dispute.created", "needs_response", Outcome::dispute_opened},
           Line{"charge.dispute.funds_withdrawn", "under_review", Outcome::dispute_opened},
           Line{"charge.dispute.closed", "won", Outcome::dispute_won},
           Line{"charge.dispute.closed", "lost", Outcome::dispute_lost},
           // An inquiry takes no money, and what only tells of progress opens nothing anew.
           Line{"charge.dispute.created", "warning_needs_response", Outcome::pending},
           Line{"charge.dispute.closed", "warning_closed", Outcome::pending},
           Line{"charge.dispute.updated", "needs_response", Outcome::pending},
           Line{"charge.dispute.funds_reinstated", "won", Outcome::pending},
           Line{"charge.dispute.closed", "a_new_one", Outcome::pending},
       }) {
    Notice const notice = dispute(type, status);
    EXPECT_EQ(notice.answer.outcome, outcome) << type << " " << status;
    EXPECT_EQ(notice.number, "");
    EXPECT_EQ(notice.about, "pi_1");
    EXPECT_EQ(notice.refund_number, "");
    EXPECT_EQ(notice.answer.code, type);
  }
}

TEST(StripeNotice, ARefundOfTheDashboardNamesTheIntentAndItself) {
  Notice const notice =
      read("refund.created", R"({"id":"re_7","object":"refund","amount":500,"currency":"usd","payment_intent":"pi_1",)"
                             R"("status":"succeeded","metadata":{}})");
  EXPECT_EQ(notice.number, "");
  EXPECT_EQ(notice.about, "pi_1");
  EXPECT_EQ(notice.refund_number, "re_7");
  EXPECT_EQ(notice.answer.outcome, Outcome::succeeded);
  EXPECT_EQ(notice.answer.amount, (Money{500, Currency::of("USD")}));
}

TEST(StripeNotice, ARefundOfOursNeedsNoQuestion) {
  Notice const notice =
      read("refund.updated", R"({"id":"re_7","object":"refund","amount":500,"currency":"usd","payment_intent":"pi_1",)"
                             R"("status":"succeeded","metadata":{"payonce_payment":"p","payonce_refund":"r"}})");
  EXPECT_EQ(notice.number, "p");
  EXPECT_EQ(notice.refund_number, "r");
  EXPECT_EQ(notice.about, "");
}

}  // namespace
}  // namespace payonce::stripe
