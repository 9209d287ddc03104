#include "http/checkout_token.h"

#include <gtest/gtest.h>

namespace payonce {

namespace {

Time const now = from_epoch_ms(1'800'000'000'000);
std::string const secret(32, 'k');

CheckoutGrant grant() {
  return {
      {MerchantId{"shop\nwith a line end"}, OrderId{"订单-7"}}, now + std::chrono::hours{1}, "https://shop.example/7"};
}

}  // namespace

TEST(CheckoutToken, OpensToWhatWasSealed) {
  auto const opened = open_checkout_token(seal_checkout_token(grant(), secret), {std::string(32, 'x'), secret}, now);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->key, grant().key);
  EXPECT_EQ(opened->expires_at, grant().expires_at);
  EXPECT_EQ(opened->return_url, grant().return_url);
  EXPECT_FALSE(opened->has_expired(now));
}

TEST(CheckoutToken, NeedsNoEscapingInAnAddress) {
  EXPECT_EQ(seal_checkout_token(grant(), secret)
                .find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."),
            std::string::npos);
}

TEST(CheckoutToken, EveryChangedCharacterIsRefused) {
  std::string const token = seal_checkout_token(grant(), secret);
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(open_checkout_token(changed, {secret}, now)) << i;
  }
  for (std::string const& wrong :
       {std::string{}, std::string{"."}, token + "A", token + "=", token.substr(1), "x" + token})
    EXPECT_FALSE(open_checkout_token(wrong, {secret}, now)) << wrong;
}

TEST(CheckoutToken, ASecretThatIsGoneOpensNothing) {
  std::string const token = seal_checkout_token(grant(), secret);
  EXPECT_FALSE(open_checkout_token(token, {std::string(32, 'x')}, now));
  EXPECT_FALSE(open_checkout_token(token, {}, now));
}

TEST(CheckoutToken, AfterItsEndItStillReadsForADay) {
  std::string const token = seal_checkout_token(grant(), secret);
  Time const end = grant().expires_at;
  auto const late = open_checkout_token(token, {secret}, end);
  ASSERT_TRUE(late);
  EXPECT_TRUE(late->has_expired(end));
  EXPECT_TRUE(open_checkout_token(token, {secret}, end + checkout_read_grace - Millis{1}));
  EXPECT_FALSE(open_checkout_token(token, {secret}, end + checkout_read_grace));
}

}  // namespace payonce
