// The vectors of cases C40 and C42: rotation of secrets, and bytes as they came.
#include "provider/timed_signature.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/crypto.h"

namespace payonce {

namespace {

using Secrets = std::vector<Secret>;

constexpr Time now{std::chrono::seconds{1'760'000'010}};
constexpr std::string_view body =
    R"({"id":"evt_t_0001","type":"payment.succeeded","created":1760000000,)"
    R"("data":{"channel_txn":"ch_t_0001","out_no":"PA-1001","amount":1999,"currency":"USD"}})";
constexpr std::string_view spaced_body =
    R"({ "id":"evt_t_0001", "type":"payment.succeeded", "created":1760000000, )"
    R"("data":{"channel_txn":"ch_t_0001","out_no":"PA-1001","amount":1999,"currency":"USD"} })";
std::string const old_value = "191c8878f3d429d10c34f6f3d7d2ba054ba40a82c3ce8ff2fe6feb4cb0ee4b22";
std::string const new_value = "f03c697167e5acffcedc571929be7984e888cedd844c672329155e85e924f84c";
std::string const spaced_value = "14db02d5ed808a28cd204f9cd63faac1d28155e7cd038615cde50764009b0936";
std::string const t = "t=1760000000";
Secrets const only_old{"whsec_test_old"};
Secrets const only_new{"whsec_test_new"};
Secrets const both{"whsec_test_old", "whsec_test_new"};

bool passes(std::string const& header, Secrets const& secrets, std::string_view bytes = body, Time at = now) {
  HttpRequest const request{
      .method = "POST", .target = "/", .headers = {{"Bank-Signature", header}}, .body = std::string{bytes}};
  auto const checked = check_timed_signature(request, "bank-signature", secrets, at);
  if (!checked) {
    EXPECT_EQ(checked.error().code, ErrorCode::signature_invalid);
    for (Secret const& secret : secrets)
      EXPECT_EQ(checked.error().detail.find(secret.line()), std::string::npos) << "no secret in an error";
  }
  return checked.has_value();
}

}  // namespace

TEST(TimedSignature, C40_TwoValuesAndTwoSecretsInAnyOrder) {
  ASSERT_EQ(body.size(), 152u);
  for (Secrets const& secrets : {only_old, only_new, both}) {
    EXPECT_TRUE(passes(t + ",v1=" + old_value + ",v1=" + new_value, secrets));
    EXPECT_TRUE(passes(t + ",v1=" + new_value + ",v1=" + old_value, secrets));
  }
  std::string const zeros(64, '0');
  EXPECT_TRUE(passes(t + ",v1=" + zeros + ",v1=" + new_value, only_new));
  EXPECT_FALSE(passes(t + ",v1=" + zeros + ",v1=" + new_value, only_old));
  EXPECT_TRUE(passes(t + ",v1=zz,v1=" + new_value, only_new)) << "bad hex is one wrong candidate";
}

TEST(TimedSignature, C40_WhatFailsFailsCleanly) {
  for (std::string const& header :
       {t + ",v0=" + new_value, "v1=" + new_value, t + ",v1=zz", t + "," + t + ",v1=" + new_value, std::string{},
        std::string{","}, t, t + ",v1=", std::string{"t=,v1="} + new_value, "t=x,v1=" + new_value,
        "t=-1760000000,v1=" + new_value, "t=9999999999999,v1=" + new_value, "T=1760000000,v1=" + new_value,
        t + ", v1=" + new_value, t + ",v1=" + new_value.substr(1)})
    EXPECT_FALSE(passes(header, both)) << header;
  EXPECT_FALSE(passes(t + ",v1=" + new_value, Secrets{})) << "without a secret nothing is believed";
}

TEST(TimedSignature, C42_TheBytesAsTheyCameAreSigned) {
  ASSERT_EQ(spaced_body.size(), 157u);
  EXPECT_TRUE(passes(t + ",v1=" + spaced_value, only_new, spaced_body));
  EXPECT_FALSE(passes(t + ",v1=" + new_value, only_new, spaced_body));
  EXPECT_FALSE(passes(t + ",v1=" + spaced_value, only_new, body));
  for (std::string const bytes :
       {R"({"a":"\u00e9"})", R"({"a":"é"})", R"({"a":1999.0})", R"({"a":"\/"})", "{}\r\n", ""})
    EXPECT_TRUE(passes(t + ",v1=" + hmac_sha256_hex("whsec_test_new", "1760000000." + bytes), only_new, bytes))
        << bytes;
}

TEST(TimedSignature, IsNeededOnce) {
  HttpRequest request{.method = "POST", .target = "/", .body = std::string{body}};
  EXPECT_FALSE(check_timed_signature(request, "Bank-Signature", only_new, now));
  request.headers = {{"Bank-Signature", t + ",v1=" + new_value}};
  EXPECT_TRUE(check_timed_signature(request, "Bank-Signature", only_new, now));
  request.headers.push_back(request.headers.front());
  EXPECT_FALSE(check_timed_signature(request, "Bank-Signature", only_new, now)) << "which of the two?";
}

TEST(TimedSignature, AnOldOrFutureTimeIsRefused) {
  std::string const header = t + ",v1=" + new_value;
  Time const signed_at{std::chrono::seconds{1'760'000'000}};
  EXPECT_TRUE(passes(header, only_new, body, signed_at + notice_tolerance));
  EXPECT_TRUE(passes(header, only_new, body, signed_at - notice_tolerance));
  EXPECT_FALSE(passes(header, only_new, body, signed_at + notice_tolerance + Millis{1}));
  EXPECT_FALSE(passes(header, only_new, body, signed_at - notice_tolerance - Millis{1}));
}

}  // namespace payonce
