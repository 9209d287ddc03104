// How long a key that was just used is believed, under a clock of the test's own.
#include "http/authenticate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "net/asio_loop.h"
#include "store/sqlite/sqlite_store.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;

class SetClock final : public Clock {
 public:
  Time now() const override { return Time{}; }
  std::chrono::nanoseconds monotonic() const override { return time; }
  std::chrono::nanoseconds time{0};
};

std::unique_ptr<Store> open_new(std::string const& path) {
  std::filesystem::remove(path);
  auto store = std::move(*open_sqlite(path));
  EXPECT_TRUE(store->migrate());
  return store;
}

class AuthenticatorTest : public testing::Test {
 protected:
  AuthenticatorTest() {
    write([](Writer& writer) {
      writer.insert_api_key({MerchantId{"shop"}, "till", hash_api_secret("pok_good"), Time{}, std::nullopt});
    });
  }
  ~AuthenticatorTest() override {
    reads.stop();
    std::filesystem::remove(path);
  }

  void write(std::function<void(Writer&)> const& work) {
    auto const writer = store->open_writer();
    writer->begin();
    work(*writer);
    writer->commit();
  }

  // The merchant of a request with this header, or the status it is refused with.
  std::string ask(std::string const& authorization) {
    std::string result;
    auto const exchange = std::make_shared<Exchange>();
    if (!authorization.empty()) exchange->request.headers.push_back({"Authorization", authorization});
    exchange->respond = [&](HttpResponse const& response) { result = std::to_string(response.status); };
    authenticator.check(exchange,
                        [&](ExchangePtr const& known) { result = known->merchant.value + "/" + known->actor; });
    while (result.empty()) {
      loop.after(1ms, [this] { loop.stop(); });
      loop.run();
    }
    return result;
  }

  std::string const path = testing::TempDir() + "authenticate_" + std::to_string(::getpid()) + ".db";
  AsioLoop loop;
  SetClock clock;
  std::unique_ptr<Store> store = open_new(path);
  ReadLane reads{*store, loop};
  Authenticator authenticator{reads, clock};
};

}  // namespace

TEST_F(AuthenticatorTest, AKeyNamesItsMerchantAndItself) {
  EXPECT_EQ(ask("Bearer pok_good"), "shop/till");
  EXPECT_EQ(ask("Bearer pok_good"), "shop/till");
}

TEST_F(AuthenticatorTest, AnythingElseIsRefused) {
  for (auto const* header :
       {"", "pok_good", "bearer pok_good", "Bearer ", "Bearer pok_goo", "Basic pok_good", "Bearer  pok_good"})
    EXPECT_EQ(ask(header), "401") << header;
}

TEST_F(AuthenticatorTest, ARevokedKeyStopsWorkingWithinItsCacheLife) {
  EXPECT_EQ(ask("Bearer pok_good"), "shop/till");
  write([](Writer& writer) { EXPECT_TRUE(writer.revoke_api_key(MerchantId{"shop"}, "till", Time{})); });
  clock.time = key_cache_life - 1ns;
  EXPECT_EQ(ask("Bearer pok_good"), "shop/till");
  clock.time = key_cache_life;
  EXPECT_EQ(ask("Bearer pok_good"), "401");
  EXPECT_EQ(ask("Bearer pok_good"), "401");
}

TEST(ApiSecret, IsLongAndNeverTheSame) {
  SeededRandom random{1};
  std::string const first = mint_api_secret(Time{}, random);
  EXPECT_TRUE(first.starts_with("pok_"));
  EXPECT_EQ(first.size(), 56u);
  EXPECT_NE(first, mint_api_secret(Time{}, random));
}

}  // namespace payonce
