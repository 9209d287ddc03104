#include "worker/workers.h"

#include <iterator>
#include <set>

#include "support/engine_world.h"
#include "support/thinking_shop.h"

namespace payonce::test {

namespace {

// Two hundred paid orders, each with its effect "ship".
class WorkersTest : public EngineWorld {
 protected:
  WorkersTest() {
    terms.shop.effects = {{"ship"}};
    for (int n = 1; n <= 200; ++n) {
      BeginAttempt payment = beginning(n, "k-" + std::to_string(n));
      payment.key = order_key("PA-" + std::to_string(1000 + n));
      payment.amount_minor = 1999;
      payment.currency = "USD";
      payment.registers_order = true;
      EXPECT_TRUE(run(payment));
    }
    say(Outcome::succeeded);
    workers.start();
    settle();
  }
  ~WorkersTest() override { workers.stop(); }

  // The shop takes `count` of those that wait, the longest waiting first.
  void take(std::size_t count) {
    ASSERT_GE(shop.waiting.size(), count);
    auto const end = shop.waiting.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<HttpClient::Done> now(std::move_iterator{shop.waiting.begin()}, std::move_iterator{end});
    shop.waiting.erase(shop.waiting.begin(), end);
    for (auto& done : now) done(answered(200));
    settle();
  }

  ThinkingShop shop;
  std::vector<Merchant> const merchants{
      {.id = MerchantId{"shop"},
       .providers = {"sure"},
       .effects = {{.name = "ship", .url = "http://127.0.0.1/ship", .secrets = {std::string(32, 's')}}}}};
  Workers workers{engine, shop, merchants, merchants};
};

}  // namespace

TEST_F(WorkersTest, DeliveryGoesOnWhileTheShopThinksAboutARoundButNeverBeyondItsBound) {
  EXPECT_EQ(shop.waiting.size(), 128U) << "two rounds";
  pass(1min);
  EXPECT_EQ(shop.ids.size(), 128U) << "a shop that never answers ties up no more";
  take(64);
  EXPECT_EQ(shop.ids.size(), 192U) << "the second round is still out";
  take(128);
  EXPECT_EQ(shop.ids.size(), 200U);
  EXPECT_EQ(std::set(shop.ids.begin(), shop.ids.end()).size(), 200U) << "each once";
}

TEST_F(WorkersTest, TheyAreBusyAsLongAsAnyAnswerIsOut) {
  take(64);
  workers.stop();
  take(127);
  EXPECT_TRUE(workers.is_busy());
  take(1);
  EXPECT_FALSE(workers.is_busy()) << "nothing new begins";
  EXPECT_EQ(shop.ids.size(), 192U);
}

}  // namespace payonce::test
