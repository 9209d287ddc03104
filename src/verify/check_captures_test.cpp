// Books with holds and captures: sound ones hold, and each of their own rules is checked.
#include <gtest/gtest.h>

#include "support/held_world.h"
#include "verify/books_fixture_test.h"

namespace payonce::test {
namespace {

VerifyOptions options() {
  VerifyOptions made;
  made.effects[MerchantId{"shop"}] = {{"ship"},
                                      {"pack", Trigger::payment_authorized},
                                      {"paid", Trigger::payment_succeeded},
                                      {"give-back", Trigger::payment_surplus}};
  made.bank_providers = {"sure"};
  return made;
}

RulesWorld captured_world(std::int64_t first, bool is_final) {
  RulesWorld world = held_world();
  world.now += 1s;
  world.run(capture_request(1, "c-1", first, is_final));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  return world;
}

std::set<int> broken(OrderBooks books, void (*break_it)(OrderBooks&)) {
  EXPECT_EQ(violated(books, options()), std::set<int>{});
  break_it(books);
  return violated(books, options());
}

TEST(HeldBooks, AreSoundAtEachStep) {
  EXPECT_EQ(violated(books_of(held_world()), options()), std::set<int>{});
  EXPECT_EQ(violated(books_of(captured_world(500, false)), options()), std::set<int>{});
  EXPECT_EQ(violated(books_of(captured_world(1500, true)), options()), std::set<int>{});
  RulesWorld by_notice = held_world();
  by_notice.run(capture_request(1, "c-1", 1500));
  Answer total = answer(Outcome::succeeded);
  total.amount = usd(1500);
  by_notice.run(notice("evt_1", 1, total));
  EXPECT_EQ(violated(books_of(by_notice), options()), std::set<int>{}) << "one notice ends capture and payment";
  RulesWorld asked = held_world();
  asked.run(notice("evt_1", 1, answer(Outcome::declined)));
  ASSERT_EQ(books_of(asked).order.attempts[0].state, AttemptState::authorized);
  EXPECT_EQ(violated(books_of(asked), options()), std::set<int>{}) << "the provider is asked before a hold is over";
  RulesWorld given_up = held_world();
  given_up.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
  given_up.run(outcome(1, Evidence::response, Outcome::declined));
  EXPECT_EQ(violated(books_of(given_up), options()), std::set<int>{}) << "what was done for the hold stays done";
}

TEST(HeldBooks, MoreCapturedThanHeldIsFound) {
  auto const found = broken(books_of(captured_world(1500, true)),
                            [](OrderBooks& books) { books.order.captures[0].amount.minor = 2000; });
  EXPECT_TRUE(found.contains(8));
}

TEST(HeldBooks, MoneyThatNoCaptureBroughtIsFound) {
  auto const found = broken(books_of(captured_world(1500, true)),
                            [](OrderBooks& books) { books.order.attempts[0].captured_minor = 1600; });
  EXPECT_EQ(found, (std::set<int>{1, 5, 8}));
}

TEST(HeldBooks, TwoCapturesUnderWayAreFound) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500, false));
  auto const found = broken(books_of(world), [](OrderBooks& books) {
    books.order.captures.push_back(books.order.captures[0]);
    books.order.captures[1].key = "c-2";
  });
  EXPECT_EQ(found, std::set<int>{8});
}

TEST(HeldBooks, ACaptureThatNobodyLooksAtIsFound) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500, false));
  EXPECT_EQ(broken(books_of(world), [](OrderBooks& books) { books.order.captures[0].due_at.reset(); }),
            std::set<int>{9});
}

TEST(HeldBooks, AnOrderPaidByAHoldAloneIsFound) {
  auto const found =
      broken(books_of(held_world()), [](OrderBooks& books) { books.order.head.state = OrderState::paid; });
  EXPECT_TRUE(found.contains(1));
}

TEST(HeldBooks, TheBankMustHaveTakenWhatWasCaptured) {
  OrderBooks const books = books_of(captured_world(1500, true));
  BankLedger ledger{test_start + 1h, {}, {}};
  ledger.charges[attempt_id(1).value] = {{"PA-1001", 1999, "USD", true, 1500}};
  VerifyOptions at_bank = options();
  at_bank.bank = &ledger;
  EXPECT_EQ(violated(books, at_bank), std::set<int>{});
  ledger.charges[attempt_id(1).value][0].taken_minor = 1999;
  EXPECT_EQ(violated(books, at_bank), std::set<int>{7});
}

}  // namespace
}  // namespace payonce::test
