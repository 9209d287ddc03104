// Known answers: FIPS 180-2 (SHA-256), RFC 4231 (HMAC), RFC 4648 (base 16 and 64), and case C40's own vector.
#include "base/crypto.h"

#include <gtest/gtest.h>

namespace payonce {
namespace {

TEST(Crypto, sha256_gives_the_published_digests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(hex_encode(sha256("abc")), sha256_hex("abc"));
}

TEST(Crypto, hmac_gives_the_published_signatures) {
  EXPECT_EQ(hmac_sha256_hex(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac_sha256_hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac_sha256_hex(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Crypto, an_empty_secret_is_a_key_of_its_own_and_not_the_key_of_the_call_before) {
  EXPECT_EQ(hmac_sha256_hex("", ""), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
  static_cast<void>(hmac_sha256_hex("another secret", "text"));
  EXPECT_EQ(hmac_sha256_hex(std::string_view{}, std::string_view{}), hmac_sha256_hex("", ""));
}

TEST(Crypto, c40_both_secrets_of_a_rotation_sign_as_in_the_vector) {
  std::string const signed_text =
      R"(1760000000.{"id":"evt_t_0001","type":"payment.succeeded","created":1760000000,)"
      R"("data":{"channel_txn":"ch_t_0001","out_no":"PA-1001","amount":1999,"currency":"USD"}})";
  EXPECT_EQ(hmac_sha256_hex("whsec_test_old", signed_text),
            "191c8878f3d429d10c34f6f3d7d2ba054ba40a82c3ce8ff2fe6feb4cb0ee4b22");
  EXPECT_EQ(hmac_sha256_hex("whsec_test_new", signed_text),
            "f03c697167e5acffcedc571929be7984e888cedd844c672329155e85e924f84c");
}

TEST(Crypto, comparison_needs_equal_length_and_bytes) {
  EXPECT_TRUE(constant_time_equal("", ""));
  EXPECT_TRUE(constant_time_equal("same", "same"));
  EXPECT_FALSE(constant_time_equal("same", "sama"));
  EXPECT_FALSE(constant_time_equal("same", "sam"));
  EXPECT_FALSE(constant_time_equal(std::string_view("a\0b", 3), std::string_view("a\0c", 3)));
}

TEST(Crypto, hex_round_trips_and_refuses_what_is_not_hex) {
  std::string all_bytes;
  for (int i = 0; i < 256; ++i) all_bytes.push_back(static_cast<char>(i));
  EXPECT_EQ(hex_decode(hex_encode(all_bytes)), all_bytes);
  EXPECT_EQ(hex_encode("\x01\xfe"), "01fe");
  EXPECT_EQ(hex_decode("01FE"), "\x01\xfe");
  EXPECT_EQ(hex_decode(""), "");
  EXPECT_EQ(hex_decode("abc"), std::nullopt);
  EXPECT_EQ(hex_decode("zz"), std::nullopt);
  EXPECT_EQ(hex_decode("0 "), std::nullopt);
}

TEST(Crypto, base64_gives_the_published_texts) {
  std::pair<std::string_view, std::string_view> const pairs[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xff\xef\xbe", "/+++"},
  };
  for (auto const& [bytes, text] : pairs) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes);
  }
}

TEST(Crypto, base64_decoding_is_strict) {
  for (std::string_view const bad :
       {"Zg", "Zg=", "Zm9v\n", "Zm 9", "Zh==", "Zm9=", "====", "=Zm9", "Z===", "Zg==Zg==", "_-__"})
    EXPECT_EQ(base64_decode(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace payonce
