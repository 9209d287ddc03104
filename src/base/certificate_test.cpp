// The certificate was made with the openssl command:
//   openssl req -x509 -key k.pem -days 36500 -set_serial 0x0123456789abcdef01 -sha256 -utf8
//     -subj "/C=CN/O=Test, Inc/OU=支付/CN=Test App"
#include "base/certificate.h"

#include <gtest/gtest.h>

namespace payonce {
namespace {

std::string const pem = R"(-----BEGIN CERTIFICATE-----
MIIDYjCCAkqgAwIBAgIJASNFZ4mrze8BMA0GCSqGSIb3DQEBCwUAMEUxCzAJBgNV
BAYTAkNOMRIwEAYDVQQKDAlUZXN0LCBJbmMxDzANBgNVBAsMBuaUr+S7mDERMA8G
A1UEAwwIVGVzdCBBcHAwIBcNMjYxMTI5MjEzNTI2WhgPMjEyNjExMDUyMTM1MjZa
MEUxCzAJBgNVBAYTAkNOMRIwEAYDVQQKDAlUZXN0LCBJbmMxDzANBgNVBAsMBuaU
r+S7mDERMA8GA1UEAwwIVGVzdCBBcHAwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAw
ggEKAoIBAQCoBhF3cFlFUOUn9y79esvqM1gDUHjocs5hRMisXjnPjKlSyvl1rSJp
xjtp1/0LLqyRLB3/9cCxXGetQzJDrRRUcqKpTrBgVRPdZCmINoYJROmwHD+Gho4t
e30Kn/RPEAwv/Yqd+gLHPa5m6m5u6oxqZmbLrVP7QTta15uh8kjUm1md+ACRwYCG
xFmFykfxEinyeBn9v3mL5AF/1vHHup0p1Sfjiq1SXiB8YwP5fBkIy633Me0iRYRr
zWokyDFSAdg0Z9EsksEQI+uZCi2as19Lsylxg/kxj6CJwIv5sRxlJ2zFd6HReIIX
gIKhyoViQ42EVFwQM/zRbL80mF1Q3/GhAgMBAAGjUzBRMB0GA1UdDgQWBBRR6SDu
aTKpy5KzKkWjfS63dAW8sDAfBgNVHSMEGDAWgBRR6SDuaTKpy5KzKkWjfS63dAW8
sDAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQAKwrcYrcAiAEgM
om1qsztMdgtQhSQ4x4BLs3FP/tUXVz3ZvoFSQgz/5ipIcoZs5jVYBDxX77XInzSX
8jTLMWPGlS3y6OWnYs6R3rsn8sLxd0uTtoScIWB5PtbouaAsk14KonH0f9pkXTdC
QbMM/Nv47rQr6vC0YneUKlaU1BZCteYGMH0fqslZg5YwO5Ol0MaV2RGGZ6i7dz0L
n+XmljqkiuOIY0s65AftwY96N4l4EzSPv1pM4Sz86oKgre9h34Z5nJbjK/zySL/o
yEVe6ftzmKfSPX2VXmFVW0dMHCKsdd85QUc/e+Acat8ogW8+4BSzKcvIVrW/OwU6
/IabPZaz
-----END CERTIFICATE-----
)";

TEST(Certificate, IsRead) {
  auto const certificates = parse_certificates("before\n" + pem + pem);
  ASSERT_TRUE(certificates) << certificates.error().detail;
  ASSERT_EQ(certificates->size(), 2u);
  Certificate const& one = certificates->front();
  EXPECT_EQ(one.issuer, "CN=Test App,OU=支付,O=Test, Inc,C=CN") << "nothing escaped";
  EXPECT_EQ(one.serial_decimal, "20988295479420645121");
  EXPECT_EQ(one.serial_hex, "0123456789ABCDEF01");
  EXPECT_TRUE(one.is_signed_by_rsa);
  EXPECT_EQ(to_rfc3339(one.not_before), "2026-11-29T21:35:26.000Z");
  EXPECT_EQ(to_rfc3339(one.not_after), "2126-11-05T21:35:26.000Z");
}

TEST(Certificate, OfNobodyWeKnowIsNotTrusted) {
  EXPECT_FALSE(is_trusted_chain(pem, "Test App", Time{std::chrono::sys_days{std::chrono::year{2030} / 1 / 1}}));
  EXPECT_FALSE(is_trusted_chain("", "paypal.com", Time{}));
}

TEST(Certificate, NoneIsRefused) {
  EXPECT_FALSE(parse_certificates(""));
  EXPECT_FALSE(parse_certificates("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
}

}  // namespace
}  // namespace payonce
