// Vectors made with the openssl command; the private key was thrown away:
//   openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out k.pem; openssl pkey -in k.pem -pubout
//   openssl dgst -sha256 -sign k.pem text | base64 -w0
#include "base/rsa.h"

#include <gtest/gtest.h>

#include "base/crypto.h"
#include "support/rsa_keys.h"

namespace payonce {
namespace {

constexpr std::string_view text = "a=1&b=\xe4\xbd\xa0\xe5\xa5\xbd&c=x=y";
std::string const public_pem = R"(-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqAYRd3BZRVDlJ/cu/XrL
6jNYA1B46HLOYUTIrF45z4ypUsr5da0iacY7adf9Cy6skSwd//XAsVxnrUMyQ60U
VHKiqU6wYFUT3WQpiDaGCUTpsBw/hoaOLXt9Cp/0TxAML/2KnfoCxz2uZupubuqM
amZmy61T+0E7WtebofJI1JtZnfgAkcGAhsRZhcpH8RIp8ngZ/b95i+QBf9bxx7qd
KdUn44qtUl4gfGMD+XwZCMut9zHtIkWEa81qJMgxUgHYNGfRLJLBECPrmQotmrNf
S7MpcYP5MY+gicCL+bEcZSdsxXeh0XiCF4CCocqFYkONhFRcEDP80Wy/NJhdUN/x
oQIDAQAB
-----END PUBLIC KEY-----
)";
std::string const signature =
    "hSKD5/A5hNW0XOVnobyZCffRFTA4Al9H7CYM4l6YZUbZOsp6wMujk2eFtFhP+A721+NtUhOfT1Ikuv4MCJrO1jAZMx"
    "Iix+YpLQNSNJ8z+9uIgbtnur8J3Qcj+NMjFA3BYVaqlfnidtjFCmdgmhvT2cfyFJl2L8cnU6mRgHY3tPZQsrRm87UR"
    "zp5V3/iqKQWgw/LIjK7+1nl0WvoOZcYrFXj6OcgNxgmMQJDrtIgi/lIt0pf8wU1tuyoBhf/T0/g+VxJfEpBz5FcGiK"
    "nGjsw6Yc038DvK/Zom3wVRw/CkMjuk3x+RlysXKvK1Jm/+ZwMTCpK5QOWvXt8j4VNBi5+NoA==";

// The key without its frame, as consoles of providers give it out.
std::string bare(std::string const& pem) {
  std::string const body = pem.substr(pem.find('\n') + 1);
  return body.substr(0, body.find("-----"));
}

TEST(Rsa, ChecksASignatureOfTheOpensslCommand) {
  for (std::string const& form : {public_pem, bare(public_pem)}) {
    auto const key = RsaPublicKey::parse(form);
    ASSERT_TRUE(key) << key.error().detail;
    EXPECT_TRUE(key->verify_sha256(text, base64_decode(signature).value()));
    EXPECT_FALSE(key->verify_sha256(std::string{text} + " ", base64_decode(signature).value()));
    EXPECT_FALSE(key->verify_sha256(text, "short"));
    EXPECT_FALSE(key->verify_sha256(text, ""));
  }
}

TEST(Rsa, SignsWhatItsPublicKeyChecks) {
  auto const& [private_pem, other_public] = test::rsa_keys(1);
  auto const key = RsaPrivateKey::parse(private_pem);
  ASSERT_TRUE(key);
  std::string const made = key->sign_sha256(text);
  EXPECT_EQ(made.size(), 256u);
  EXPECT_EQ(RsaPrivateKey::parse(bare(private_pem))->sign_sha256(text), made) << "the same key, bare; no chance in it";
  EXPECT_TRUE(RsaPublicKey::parse(other_public)->verify_sha256(text, made));
  EXPECT_FALSE(RsaPublicKey::parse(public_pem)->verify_sha256(text, made));
}

TEST(Rsa, WhatIsNoKeyIsRefusedAndNotShown) {
  for (std::string const& no_key :
       {std::string{}, std::string{"HUSH"}, std::string{"-----BEGIN PRIVATE KEY-----\nHUSH\n-----END PRIVATE KEY-----"},
        base64_encode("HUSHHUSH"), public_pem}) {
    auto const key = RsaPrivateKey::parse(no_key);
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().detail.find("HUSH"), std::string::npos);
  }
  EXPECT_FALSE(RsaPublicKey::parse(test::rsa_keys(1).private_pem));
  EXPECT_FALSE(RsaPublicKey::parse("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
}

}  // namespace
}  // namespace payonce
