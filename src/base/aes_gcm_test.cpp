#include "base/aes_gcm.h"

#include <gtest/gtest.h>

#include "base/crypto.h"

namespace payonce {
namespace {

// Made with node's crypto (createCipheriv "aes-256-gcm") and with the AesGcm of wechatpay-axios-plugin, which agree.
constexpr std::string_view key = "0123456789abcdef0123456789abcdef";
constexpr std::string_view nonce = "abcdefghijkl";
std::string const sealed = base64_decode("Eu6myr+6GaECeJdOZPZ6BX5wii2KtFptPMN4DcOOqAplDxNJ7u7KaIjW").value();

TEST(AesGcm, Opens) { EXPECT_EQ(open_aes_256_gcm(key, nonce, "transaction", sealed), R"({"out_trade_no":"A123456"})"); }

TEST(AesGcm, RefusesWhatWasTouched) {
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    std::string touched = sealed;
    touched[at] = static_cast<char>(touched[at] ^ 1);
    EXPECT_FALSE(open_aes_256_gcm(key, nonce, "transaction", touched)) << at;
  }
  EXPECT_FALSE(open_aes_256_gcm(key, nonce, "", sealed));
  EXPECT_FALSE(open_aes_256_gcm(key, "abcdefghijkm", "transaction", sealed));
  EXPECT_FALSE(open_aes_256_gcm("0123456789abcdef0123456789abcdeg", nonce, "transaction", sealed));
  EXPECT_FALSE(open_aes_256_gcm("short", nonce, "transaction", sealed));
  EXPECT_FALSE(open_aes_256_gcm(key, "", "transaction", sealed));
  EXPECT_FALSE(open_aes_256_gcm(key, nonce, "transaction", "short"));
}

}  // namespace
}  // namespace payonce
