// What WeChat Pay's clients do not show: requests they would never sign so, faults, and memory across a restart.
#include <boost/json.hpp>

#include "sandbox/dialect_fixture_test.h"

namespace payonce::sandbox {
namespace {

// How a request is signed; what differs from the merchant's own way is a test's.
struct Signing {
  std::string key = "wechatpay/merchant_private_key.pem";
  std::string mchid = {};
  std::string serial = {};
  Millis age{0};
  std::string other_body = {};  // signed in place of the body
};

class WechatpayDialectTest : public DialectTest {
 protected:
  HttpAnswer send_signed(std::string const& method, std::string const& target, std::string const& body,
                         Signing const& how = {}) {
    std::string const at = std::to_string(to_epoch_ms(clock.now() - how.age) / 1000);
    std::string const text =
        fmt::format("{}\n{}\n{}\nn1\n{}\n", method, target, at, how.other_body.empty() ? body : how.other_body);
    std::string const authorization = fmt::format(
        R"(WECHATPAY2-SHA256-RSA2048 mchid="{}",nonce_str="n1",timestamp="{}",serial_no="{}",signature="{}")",
        how.mchid.empty() ? setting("wechatpay", "mchid") : how.mchid, at,
        how.serial.empty() ? setting("wechatpay", "merchant_serial") : how.serial,
        base64_encode(key(how.key).sign(text)));
    return call(method, target, body, {{"Authorization", authorization}, {"Wechatpay-Serial", answer_serial}});
  }
  std::string order(std::string const& number, std::int64_t total = 1999) const {
    return json::serialize(json::object{{"appid", setting("wechatpay", "appid")},
                                        {"mchid", setting("wechatpay", "mchid")},
                                        {"description", "Order"},
                                        {"out_trade_no", number},
                                        {"attach", "native A1"},
                                        {"notify_url", merchant_url("/wechat")},
                                        {"amount", {{"total", total}, {"currency", "CNY"}}}});
  }
  HttpAnswer create(std::string const& number = "pay_01", std::int64_t total = 1999) {
    return send_signed("POST", "/v3/pay/transactions/native", order(number, total));
  }
  HttpAnswer query(std::string const& number = "pay_01") {
    return send_signed(
        "GET", fmt::format("/v3/pay/transactions/out-trade-no/{}?mchid={}", number, setting("wechatpay", "mchid")), {});
  }
  HttpAnswer close(std::string const& number = "pay_01") {
    return send_signed("POST", fmt::format("/v3/pay/transactions/out-trade-no/{}/close", number),
                       fmt::format(R"({{"mchid":"{}"}})", setting("wechatpay", "mchid")));
  }
  HttpAnswer refund(std::string const& number, std::int64_t fen) {
    return send_signed("POST", "/v3/refund/domestic/refunds",
                       fmt::format(R"({{"out_trade_no":"pay_01","out_refund_no":"{}",)"
                                   R"("amount":{{"refund":{},"total":1999,"currency":"CNY"}}}})",
                                   number, fen));
  }
  void pay() { call("POST", "/pay/pay_01/approve"); }
  bool is_signed_by(HttpAnswer const& answer, std::string const& key_file) const {
    auto const signature = base64_decode(answer.header("Wechatpay-Signature").value_or(""));
    return signature && key(key_file).verify(fmt::format("{}\n{}\n{}\n", *answer.header("Wechatpay-Timestamp"),
                                                         *answer.header("Wechatpay-Nonce"), answer.body),
                                             *signature);
  }

  std::string answer_serial = {};  // with which key the answers are to be signed
};

TEST_F(WechatpayDialectTest, request_that_is_not_signed_as_it_stands_is_refused) {
  start();
  std::string const body = order("pay_01");
  std::string const target = "/v3/pay/transactions/native";
  for (Signing const& how : {Signing{.key = "wechatpay/wechatpay_private_key.pem"}, Signing{.mchid = "1900000009"},
                             Signing{.serial = "5157F09E"}, Signing{.age = 301s}, Signing{.age = -330s},
                             Signing{.other_body = body + " "}}) {
    HttpAnswer const answer = send_signed("POST", target, body, how);
    EXPECT_EQ(answer.status, 401);
    EXPECT_EQ(text_at(answer, "/code"), "SIGN_ERROR");
  }
  EXPECT_EQ(call("POST", target, body).status, 401) << "not signed at all";
  EXPECT_EQ(charges(), 0u);
  EXPECT_EQ(send_signed("POST", target, body, {.age = 290s}).status, 200);
}

TEST_F(WechatpayDialectTest, order_is_one_per_number_and_paid_once) {
  start();
  fault("create", "answer_500_after");
  EXPECT_EQ(create().status, 500);
  EXPECT_NE(text_at(create(), "/code_url"), "") << "the same again is the same order";
  EXPECT_EQ(text_at(create("pay_01", 2000), "/code"), "OUT_TRADE_NO_USED");
  EXPECT_EQ(text_at(query(), "/trade_state"), "NOTPAY");
  pay();
  start();
  EXPECT_EQ(text_at(query(), "/trade_state"), "SUCCESS") << "it is remembered across a restart";
  EXPECT_EQ(text_at(create(), "/code"), "ORDERPAID");
  EXPECT_EQ(text_at(close(), "/code"), "TRADE_ERROR");
  EXPECT_EQ(text_at(query("pay_02"), "/code"), "ORDER_NOT_EXIST");
  EXPECT_EQ(charges(), 1u);
}

TEST_F(WechatpayDialectTest, closed_order_is_never_paid) {
  start();
  create();
  EXPECT_EQ(close().status, 204);
  pay();
  EXPECT_EQ(text_at(query(), "/trade_state"), "CLOSED");
  EXPECT_EQ(text_at(create(), "/code"), "ORDER_CLOSED");
  EXPECT_EQ(text_at(close("pay_02"), "/code"), "ORDER_NOT_EXIST");
}

TEST_F(WechatpayDialectTest, refund_is_one_per_number_and_never_beyond_the_order) {
  start();
  create();
  EXPECT_EQ(text_at(refund("ref_1", 500), "/code"), "INVALID_REQUEST") << "nothing is paid";
  pay();
  fault("refund", "drop_after");
  EXPECT_EQ(refund("ref_1", 500).delivery, Delivery::in_doubt);
  EXPECT_EQ(text_at(refund("ref_1", 500), "/status"), "SUCCESS");
  EXPECT_EQ(text_at(refund("ref_1", 501), "/code"), "INVALID_REQUEST");
  EXPECT_EQ(text_at(refund("ref_2", 1500), "/code"), "INVALID_REQUEST");
  fault("refund", "decline");
  EXPECT_EQ(text_at(refund("ref_3", 100), "/code"), "USER_ACCOUNT_ABNORMAL");
  EXPECT_EQ(text_at(query(), "/trade_state"), "REFUND");
  EXPECT_EQ(ledger().at("by_order").at("A1").at("refunded_minor").as_int64(), 500);
}

TEST_F(WechatpayDialectTest, answers_are_signed_with_the_key_that_was_asked_for) {
  start();
  answer_serial = setting("wechatpay", "public_key_id");
  HttpAnswer const by_key = query();
  EXPECT_TRUE(is_signed_by(by_key, "wechatpay/wechatpay_public_key.pem"));
  EXPECT_EQ(by_key.header("Wechatpay-Serial"), answer_serial);
  answer_serial = setting("wechatpay", "platform_serial");
  HttpAnswer const by_certificate = query();
  EXPECT_FALSE(is_signed_by(by_certificate, "wechatpay/wechatpay_public_key.pem"));
  EXPECT_EQ(by_certificate.header("Wechatpay-Serial"), answer_serial);
}

TEST_F(WechatpayDialectTest, faults_hit_its_calls) {
  start();
  fault("create", "decline");
  EXPECT_EQ(text_at(create(), "/code"), "NO_AUTH");
  create();
  fault("query", "in_progress");
  EXPECT_EQ(text_at(query(), "/trade_state"), "USERPAYING");
  fault("query", "nonsense_json");
  EXPECT_EQ(text_at(query(), "/trade_state"), "SIDEWAYS");
  fault("close", "in_progress");
  EXPECT_EQ(close().status, 429);
  EXPECT_EQ(text_at(query(), "/trade_state"), "CLOSED") << "it was done all the same";
}

}  // namespace
}  // namespace payonce::sandbox
