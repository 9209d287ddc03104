// Stripe's balance as a statement: all pages of it, and the payments of the dashboard's refunds.
#include "provider/stripe/statement.h"

#include <gtest/gtest.h>

#include <deque>

namespace payonce::stripe {
namespace {

std::string const charge =
    R"({"id":"txn_1","type":"charge","amount":1850,"fee":40,"currency":"eur","source":{"id":"ch_1","amount":1999,)"
    R"("amount_captured":1999,"currency":"usd","payment_intent":"pi_1","metadata":{"payonce_payment":"pay_1"}}})";
std::string const refund =
    R"({"id":"txn_2","type":"refund","amount":-500,"fee":0,"currency":"usd","source":{"id":"re_1","amount":500,)"
    R"("currency":"usd","payment_intent":"pi_1","status":"succeeded","metadata":{}}})";
std::string const payout = R"({"id":"txn_3","type":"payout","amount":-100,"fee":0,"currency":"usd","source":"po_1"})";

std::string list(std::string const& entries, bool has_more = false) {
  return R"({"data":[)" + entries + R"(],"has_more":)" + (has_more ? "true" : "false") + "}";
}

// Keeps what is sent and answers by a list; nobody answers when it is at its end.
class ScriptedClient final : public HttpClient {
 public:
  void send(HttpCall call, Done done) override {
    urls.push_back(call.url);
    HttpAnswer answer{.delivery = Delivery::in_doubt};
    if (!bodies.empty()) {
      answer.delivery = Delivery::answered;
      answer.status = 200;
      answer.body = bodies.front();
      bodies.pop_front();
    }
    done(std::move(answer));
  }
  std::vector<std::string> urls;
  std::deque<std::string> bodies;
};

Result<std::optional<std::string>> fetch(ScriptedClient& client) {
  ProviderSettings settings;
  settings.api_secret = "sk_test_1";
  Requests const requests{settings};
  Result<std::optional<std::string>> file = std::nullopt;
  fetch_balance(client, requests, "2026-01-02", [&](Result<std::optional<std::string>> got) { file = std::move(got); });
  return file;
}

TEST(StripeBalance, IsReadInTheBuyersCurrencyWithTheFeeInTheAccounts) {
  auto const read = read_balance(list(charge + "," + payout));
  ASSERT_TRUE(read) << read.error().detail;
  StatementLine const& line = read->lines[0];
  EXPECT_EQ(line.kind, LineKind::payment);
  EXPECT_EQ(line.id, "txn_1");
  EXPECT_EQ(line.number, "pay_1");
  EXPECT_EQ(line.provider_ref, "pi_1");
  EXPECT_EQ(line.amount, (Money{1999, Currency::of("USD")}));
  EXPECT_EQ(line.fee, (Money{40, Currency::of("EUR")}));
  EXPECT_EQ(read->lines[1].kind, LineKind::other);
}

TEST(StripeBalance, IsFetchedToItsEndAndARefundOfTheDashboardLearnsWhoseItIs) {
  ScriptedClient client;
  client.bodies = {list(charge, true), list(refund), R"({"id":"pi_1","metadata":{"payonce_payment":"pay_1"}})"};
  auto const file = fetch(client);
  ASSERT_TRUE(file && *file);
  ASSERT_EQ(client.urls.size(), 3U);
  EXPECT_TRUE(client.urls[0].contains("created%5Bgte%5D=1767312000&created%5Blt%5D=1767398400")) << client.urls[0];
  EXPECT_TRUE(client.urls[1].ends_with("&starting_after=txn_1"));
  EXPECT_TRUE(client.urls[2].ends_with("/v1/payment_intents/pi_1"));
  auto const read = read_balance(**file);
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ(read->lines[1].kind, LineKind::refund);
  EXPECT_EQ(read->lines[1].number, "pay_1");
  EXPECT_EQ(read->lines[1].refund_number, "re_1");
  EXPECT_EQ(read->lines[1].amount.minor, 500);
}

TEST(StripeBalance, ThatBreaksOffIsNoStatement) {
  ScriptedClient client;
  client.bodies = {list(charge, true)};
  EXPECT_EQ(fetch(client).error().code, ErrorCode::unavailable);
  client.bodies = {list(refund)};
  EXPECT_EQ(fetch(client).error().code, ErrorCode::unavailable) << "nobody tells whose refund it is";
  client.bodies = {R"({"error":{}})"};
  EXPECT_EQ(fetch(client).error().code, ErrorCode::unavailable);
}

TEST(StripeBalance, WithoutItsSourcesIsRefusedWithTheEntry) {
  EXPECT_TRUE(read_balance(list(charge + R"(,{"id":"txn_9","type":"charge","amount":1,"fee":0,"currency":"usd",)"
                                         R"("source":"ch_9"})"))
                  .error()
                  .detail.contains("entry 2"));
  EXPECT_FALSE(read_balance("torn"));
  EXPECT_FALSE(read_balance("{}"));
}

}  // namespace
}  // namespace payonce::stripe
