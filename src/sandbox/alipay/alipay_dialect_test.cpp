// What Alipay's own client does not show: requests it would never sign so, faults, and memory across a restart.
#include <map>

#include <boost/json.hpp>

#include "net/form.h"
#include "sandbox/beijing.h"
#include "sandbox/dialect_fixture_test.h"

namespace payonce::sandbox {
namespace {

using Fields = std::map<std::string, std::string>;

class AlipayDialectTest : public DialectTest {
 protected:
  Fields fields(std::string const& method, std::string content) {
    return {{"app_id", setting("alipay", "app_id")},
            {"method", "alipay.trade." + method},
            {"charset", "utf-8"},
            {"sign_type", "RSA2"},
            {"timestamp", to_beijing(clock.now())},
            {"version", "1.0"},
            {"notify_url", merchant_url("/alipay")},
            {"biz_content", std::move(content)}};
  }
  HttpAnswer send_form(Fields const& form) {
    std::string body;
    for (auto const& [name, value] : form) body += (body.empty() ? "" : "&") + name + "=" + percent_encode(value);
    return call("POST", "/gateway.do", body, {{"Content-Type", "application/x-www-form-urlencoded"}});
  }
  HttpAnswer send_signed(Fields form, std::string const& key_file = "alipay/app_private_key.pem") {
    std::string text;
    for (auto const& [name, value] : form) text += (text.empty() ? "" : "&") + name + "=" + value;
    form["sign"] = base64_encode(key(key_file).sign(text));
    return send_form(form);
  }
  // The answer to a call, once its signature is found to hold over the bytes as they came.
  json::object ask(std::string const& method, json::object const& content) {
    HttpAnswer const answer = send_signed(fields(method, json::serialize(content)));
    if (answer.status != 200) return {{"status", answer.status}};
    std::size_t const begin = answer.body.find(":{") + 1;
    std::size_t const end = answer.body.find(R"(,"sign":")");
    std::string const inner = answer.body.substr(begin, end - begin);
    auto const signature = base64_decode(answer.body.substr(end + 9, answer.body.size() - end - 11));
    EXPECT_TRUE(signature && key("alipay/alipay_public_key.pem").verify(inner, *signature)) << answer.body;
    return json::parse(inner).as_object();
  }
  json::object precreate(std::string const& number = "pay_1", std::string_view amount = "19.99") {
    return ask("precreate", {{"out_trade_no", number}, {"total_amount", amount}, {"subject", "Order"}});
  }
  json::object query(std::string const& number = "pay_1") { return ask("query", {{"out_trade_no", number}}); }
  json::object refund(std::string const& number, std::string_view amount) {
    return ask("refund", {{"out_trade_no", "pay_1"}, {"out_request_no", number}, {"refund_amount", amount}});
  }
  void scan_and_pay() {
    call("GET", "/alipay-qr/pay_1");
    call("POST", "/pay/pay_1/approve");
  }
  static std::string sub_code(json::object const& answer) {
    return answer.contains("sub_code") ? std::string{answer.at("sub_code").as_string()} : std::string{};
  }
  std::string refusal(HttpAnswer const& answer) { return text_at(answer, "/error_response/sub_code"); }
};

TEST_F(AlipayDialectTest, request_that_is_not_signed_as_it_stands_is_refused) {
  start();
  Fields const good = fields("query", R"({"out_trade_no":"pay_1"})");
  auto const changed = [&](std::string const& name, std::string const& value) {
    Fields form = good;
    form[name] = value;
    return form;
  };
  EXPECT_EQ(refusal(send_form(good)), "isv.missing-parameter");
  EXPECT_EQ(refusal(send_form(changed("sign", "AAAA"))), "isv.invalid-signature");
  EXPECT_EQ(refusal(send_signed(good, "alipay/alipay_private_key.pem")), "isv.invalid-signature");
  EXPECT_EQ(refusal(send_signed(changed("app_id", "2021"))), "isv.invalid-app-id");
  EXPECT_EQ(refusal(send_signed(changed("sign_type", "RSA"))), "isv.invalid-signature-type");
  EXPECT_EQ(refusal(send_signed(changed("timestamp", to_beijing(clock.now() - 8h)))), "isv.invalid-timestamp")
      << "a clock in another zone";
  EXPECT_EQ(refusal(send_signed(changed("biz_content", "{"))), "isv.illegal-json");
  EXPECT_EQ(refusal(send_signed(changed("method", "alipay.trade.create"))), "isv.invalid-method");
}

TEST_F(AlipayDialectTest, trade_begins_with_its_buyer_and_is_paid_once) {
  start();
  EXPECT_NE(precreate().at("qr_code").as_string(), "");
  EXPECT_EQ(sub_code(query()), "ACQ.TRADE_NOT_EXIST");
  EXPECT_EQ(sub_code(ask("close", {{"out_trade_no", "pay_1"}})), "ACQ.TRADE_NOT_EXIST") << "and it stays payable";
  EXPECT_EQ(sub_code(precreate("pay_1", "20.00")), "ACQ.CONTEXT_INCONSISTENT");
  call("GET", "/alipay-qr/pay_1");
  EXPECT_EQ(query().at("trade_status").as_string(), "WAIT_BUYER_PAY");
  scan_and_pay();
  EXPECT_EQ(query().at("trade_status").as_string(), "TRADE_SUCCESS");
  EXPECT_EQ(sub_code(precreate()), "ACQ.TRADE_HAS_SUCCESS");
  EXPECT_EQ(sub_code(ask("close", {{"out_trade_no", "pay_1"}})), "ACQ.TRADE_STATUS_ERROR");
  start();
  EXPECT_EQ(query().at("total_amount").as_string(), "19.99") << "it is remembered across a restart";
  EXPECT_EQ(charges(), 1u);
}

TEST_F(AlipayDialectTest, refund_is_one_per_number_and_its_fee_the_sum_of_all) {
  start();
  precreate();
  scan_and_pay();
  fault("refund", "drop_after");
  EXPECT_EQ(refund("ref_1", "5.00").at("status").as_int64(), 0);
  json::object const again = refund("ref_1", "5.00");
  EXPECT_EQ(again.at("fund_change").as_string(), "N");
  EXPECT_EQ(sub_code(refund("ref_1", "6.00")), "ACQ.DISCORDANT_REPEAT_REQUEST");
  EXPECT_EQ(refund("ref_2", "4.00").at("refund_fee").as_string(), "9.00");
  EXPECT_EQ(sub_code(refund("ref_3", "11.00")), "ACQ.REASON_TRADE_REFUND_FEE_ERR");
  json::object const asked{{"out_trade_no", "pay_1"}, {"out_request_no", "ref_1"}};
  EXPECT_EQ(ask("fastpay.refund.query", asked).at("refund_status").as_string(), "REFUND_SUCCESS");
  EXPECT_FALSE(
      ask("fastpay.refund.query", {{"out_trade_no", "pay_1"}, {"out_request_no", "ref_3"}}).contains("refund_status"))
      << "what is not done is not mentioned";
  EXPECT_EQ(ledger().at("by_order").at("pay_1").at("refunded_minor").as_int64(), 900);
}

TEST_F(AlipayDialectTest, faults_hit_its_calls) {
  start();
  fault("create", "decline");
  EXPECT_EQ(sub_code(precreate()), "ACQ.BUYER_PAYMENT_AMOUNT_DAY_LIMIT_ERROR");
  fault("create", "answer_500_after");
  EXPECT_EQ(precreate().at("status").as_int64(), 500);
  scan_and_pay();
  fault("query", "in_progress");
  EXPECT_EQ(query().at("trade_status").as_string(), "WAIT_BUYER_PAY");
  fault("query", "nonsense_json");
  EXPECT_EQ(query().at("code").as_string(), "19999");
  fault("refund", "decline");
  EXPECT_EQ(sub_code(refund("ref_1", "5.00")), "ACQ.TRADE_NOT_ALLOW_REFUND");
  EXPECT_EQ(charges(), 1u);
}

TEST_F(AlipayDialectTest, cancel_leaves_no_money_with_the_merchant) {
  start();
  precreate();
  EXPECT_FALSE(ask("cancel", {{"out_trade_no", "pay_1"}}).contains("action")) << "nobody has opened it";
  scan_and_pay();
  EXPECT_EQ(ask("cancel", {{"out_trade_no", "pay_1"}}).at("action").as_string(), "refund");
  EXPECT_EQ(query().at("trade_status").as_string(), "TRADE_CLOSED");
  EXPECT_EQ(ledger().at("by_order").at("pay_1").at("refunded_minor").as_int64(), 1999);
}

}  // namespace
}  // namespace payonce::sandbox
