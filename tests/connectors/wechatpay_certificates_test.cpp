// WeChat Pay changes its platform certificate while we run. What is sealed and signed here is made by the sandbox's own
// code, so that connector and test share no mistake.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "base/crypto.h"
#include "base/random.h"
#include "provider/wechatpay/wechatpay_provider.h"
#include "sandbox/keys/aes_gcm.h"
#include "sandbox/keys/rsa_key.h"
#include "support/manual_loop.h"
#include "support/rsa_keys.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using sandbox::RsaKey;

constexpr std::string_view api_v3_key = "0123456789abcdef0123456789abcdef";

// A platform certificate with its key, as WeChat Pay has it.
struct Platform {
  explicit Platform(std::uint64_t number, Time valid_from = test_start - 24h)
      : serial(fmt::format("{:X}", number)),
        certificate(sandbox::make_certificate(
            {.subject = "WeChat Pay", .issuer = "WeChat Pay", .serial = number, .valid_from = valid_from}, key, key)) {}

  HttpHeaders sign(std::string_view body) const {
    return {{"Wechatpay-Timestamp", "1760000000"},
            {"Wechatpay-Nonce", "n"},
            {"Wechatpay-Serial", serial},
            {"Wechatpay-Signature", base64_encode(key.sign(fmt::format("1760000000\nn\n{}\n", body)))}};
  }
  std::string listed(std::string_view sealed_with = api_v3_key) const {
    return fmt::format(R"({{"data":[{{"serial_no":"{}","encrypt_certificate":{{"algorithm":"AEAD_AES_256_GCM",)"
                       R"("nonce":"abcdefghijkl","associated_data":"certificate","ciphertext":"{}"}}}}]}})",
                       serial, sandbox::encrypt_aes_gcm(sealed_with, "abcdefghijkl", "certificate", certificate));
  }

  RsaKey const key = RsaKey::generate();
  std::string const serial;
  std::string const certificate;
};

class Wechat final : public HttpClient {
 public:
  void send(HttpCall call, Done done) override {
    calls.push_back(std::move(call));
    pending = std::move(done);
  }
  void deliver() {
    if (pending) std::exchange(pending, {})(std::move(answer));
  }
  std::vector<HttpCall> calls;
  HttpAnswer answer;
  Done pending;
};

class MovableClock final : public Clock {
 public:
  Time now() const override { return test_start; }
  std::chrono::nanoseconds monotonic() const override { return passed; }
  Millis passed{1};
};

class WechatPayCertificates : public testing::Test {
 protected:
  WechatPayCertificates() {
    settings.name = "wechatpay";
    settings.options = {{"app_id", {"wx1"}},
                        {"mch_id", {"1900000001"}},
                        {"merchant_serial", {"5157F09E"}},
                        {"private_key", {test::rsa_keys(1).private_pem}},
                        {"api_v3_key", {std::string{api_v3_key}}},
                        {"platform_certificates", {old.certificate}},
                        {"notify_url", {"https://shop.example/n"}},
                        {"description", {"Order"}},
                        {"default_method", {"native"}}};
    provider = std::move(*make_wechatpay_provider(settings, {client, loop, clock, random}));
  }
  // A notice with a signature that is looked at; what is inside is none of these tests' business.
  ErrorCode notice_by(Platform const& platform) {
    std::string const body = R"({"id":"e","event_type":"TRANSACTION.SUCCESS"})";
    auto const notice = provider->read_notice(
        {.method = "POST", .target = "/", .headers = platform.sign(body), .body = body}, test_start);
    client.deliver();
    return notice ? ErrorCode::internal : notice.error().code;
  }
  void list(std::string body, Platform const& signer) {
    client.answer = {
        .delivery = Delivery::answered, .status = 200, .headers = signer.sign(body), .body = std::move(body)};
  }

  static constexpr ErrorCode unbelieved = ErrorCode::signature_invalid;
  static constexpr ErrorCode believed = ErrorCode::invalid_request;  // and found to hold nothing
  Platform const old{0x51};
  Platform const fresh{0x52};
  ProviderSettings settings;
  Wechat client;
  test::ManualLoop loop;
  MovableClock clock;
  SeededRandom random{1};
  std::unique_ptr<Provider> provider;
};

TEST_F(WechatPayCertificates, ANewOneIsFetchedWhenAMessageNamesIt) {
  EXPECT_EQ(notice_by(old), believed);
  EXPECT_TRUE(client.calls.empty());
  list(fresh.listed(), fresh);
  EXPECT_EQ(notice_by(fresh), unbelieved) << "it comes again";
  ASSERT_EQ(client.calls.size(), 1U);
  EXPECT_EQ(client.calls[0].url, "https://api.mch.weixin.qq.com/v3/certificates");
  EXPECT_EQ(notice_by(fresh), believed);
  EXPECT_EQ(notice_by(old), believed) << "messages of both are on their way while it changes";
}

TEST_F(WechatPayCertificates, OneThatIsNotWechatsIsNotTaken) {
  Platform const forged{0x52};
  Platform const ended{0x53, test_start - 24h * 365 * 11};
  struct Line {
    char const* what;
    std::string body;
    Platform const& signer;
    Platform const& asked;
  };
  for (Line const& line :
       {Line{"sealed with another key", fresh.listed("another key another key another!"), fresh, fresh},
        Line{"signed by another", fresh.listed(), forged, fresh}, Line{"no longer valid", ended.listed(), ended, ended},
        Line{"no list", "{}", fresh, fresh}, Line{"an empty list", R"({"data":[]})", fresh, fresh}}) {
    list(line.body, line.signer);
    clock.passed += Millis{60'001};
    EXPECT_EQ(notice_by(line.asked), unbelieved) << line.what;
    client.answer = {};
    clock.passed += Millis{60'001};
    EXPECT_EQ(notice_by(line.asked), unbelieved) << line.what;
    EXPECT_EQ(notice_by(old), believed) << line.what;
  }
}

TEST_F(WechatPayCertificates, AnybodyMayNameKeysAndCausesOneQuestionAMinute) {
  for (int i = 0; i < 5; ++i) notice_by(Platform{0x60});
  EXPECT_EQ(client.calls.size(), 1U);
  clock.passed += Millis{60'001};
  notice_by(fresh);
  EXPECT_EQ(client.calls.size(), 2U);
}

}  // namespace
}  // namespace payonce
