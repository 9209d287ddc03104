// What a browser with a checkout token can do, and what it can't.
#include "http/api_fixture.h"
#include "http/checkout_token.h"
#include "http/checkout_view.h"

namespace payonce::test {

namespace {

std::string const secret(32, 'k');

}  // namespace

class Checkout : public HttpApi {
 protected:
  void SetUp() override {
    HttpApi::SetUp();
    settings.checkout.secrets = {secret};
    settings.checkout.url = "https://pay.example";
    settings.checkout.methods[MerchantId{"shop"}] = {
        {"sandbox", "", "Card", "银行卡"},
        {"sandbox", "approve", "Wallet", "钱包", CheckoutMethod::Action::qr},
        {"sandbox", "decline", "Broken card", "坏卡"}};
    restart_service();
    register_order("A1");
    path = path_for("A1");
  }

  // Where the browser's calls go.
  std::string path_for(std::string const& order, std::string const& body = "{}") {
    return "/checkout/" + call("POST", "/v1/orders/" + order + "/checkout-tokens", body).text("token");
  }
  // Without any API key, as a browser has none.
  Answered state() { return call_as("", "GET", path + "/state"); }
  PendingPtr begin(std::string const& offer, std::string const& method, std::string const& prefer = "wait=10") {
    return send_as("", "POST", path + "/pay", json::serialize(json::object{{"offer", offer}, {"method", method}}),
                   {{"Prefer", prefer}});
  }
  Answered pay_by(std::string const& offer, std::string const& method = "sandbox") {
    return await(begin(offer, method));
  }
  Answered cancel(std::string const& payment) {
    return call_as("", "POST", path + "/cancel", json::serialize(json::object{{"payment_id", payment}}));
  }
  static std::string payment_of(Answered const& answer) {
    return std::string{answer.object().at("payment").at("id").as_string()};
  }
  Answered await_situation(std::string const& situation) {
    Answered now;
    until([&] { return (now = state()).text("situation") == situation; });
    return now;
  }

  // The bank charges, and neither its answer nor its notice nor its word when asked ever comes.
  Answered pay_into_the_dark() {
    fault("create", "drop_after");
    fault("query", "drop_before", -1, 1000);
    fault("notice", "never", -1, 1000);
    return await(begin(state().text("offer"), "sandbox", "wait=1"));
  }

  std::string path;
};

TEST_F(Checkout, ATokenIsMadeForAnOrderThatIsThere) {
  Answered const made = call("POST", "/v1/orders/A1/checkout-tokens", R"({"expires_in":60})");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.text("url"), "https://pay.example/checkout/" + made.text("token"));
  EXPECT_EQ(call("POST", "/v1/orders/A2/checkout-tokens", "{}").status, 404);
  EXPECT_EQ(call_as(other_key, "POST", "/v1/orders/A1/checkout-tokens", "{}").status, 404);
  EXPECT_EQ(call_as("", "POST", "/v1/orders/A1/checkout-tokens", "{}").status, 401);
  EXPECT_EQ(call("POST", "/v1/orders/A1/checkout-tokens", R"({"amount":1})").code(), "unknown_field");
  EXPECT_EQ(call("POST", "/v1/orders/A1/checkout-tokens", R"({"expires_in":86401})").status, 400);
  EXPECT_EQ(call("POST", "/v1/orders/A1/checkout-tokens", R"({"return_url":"javascript:x"
})")
                .status,
            400);
}

TEST_F(Checkout, WithoutASecretThereAreNone) {
  settings.checkout = {};
  restart_service();
  EXPECT_EQ(call("POST", "/v1/orders/A1/checkout-tokens", "{}").status, 404);
  EXPECT_EQ(state().status, 404);
}

TEST_F(Checkout, APaymentByItsOfferIsOne) {
  Answered const ready = state();
  EXPECT_EQ(ready.text("situation"), "ready");
  EXPECT_EQ(ready.text("amount_text"), "19.99");
  EXPECT_EQ(ready.list("methods").size(), 3U);
  EXPECT_EQ(ready.header("Access-Control-Allow-Origin"), "*");

  std::vector<PendingPtr> presses;
  for (int i = 0; i < 5; ++i) presses.push_back(begin(ready.text("offer"), "sandbox"));
  for (auto const& press : presses) EXPECT_EQ(await(press).status, 200);
  Answered const paid = state();
  EXPECT_EQ(paid.text("situation"), "paid");
  EXPECT_TRUE(paid.list("methods").empty());
  EXPECT_EQ(paid.object().if_contains("offer"), nullptr);
  EXPECT_EQ(pay_by(ready.text("offer")).text("situation"), "paid") << "from a tab that slept";
  EXPECT_EQ(charged("A1"), 1);
  EXPECT_EQ(list_of("A1", "payments").size(), 1U);
}

TEST_F(Checkout, ASecondMethodAtTheSameTimeIsToldOfTheFirst) {
  std::string const offer = state().text("offer");
  Answered const first = pay_by(offer, "sandbox:approve");
  EXPECT_EQ(first.text("situation"), "action");
  Answered const second = pay_by(offer, "sandbox");
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(payment_of(second), payment_of(first));
  EXPECT_EQ(charged("A1"), 0);
  EXPECT_EQ(list_of("A1", "payments").size(), 1U);
}

TEST_F(Checkout, WhileTheOutcomeIsOpenNothingIsOffered) {
  Answered const open = pay_into_the_dark();
  EXPECT_EQ(open.text("situation"), "confirming");
  EXPECT_EQ(open.object().at("message").at("zh").as_string(), "支付结果确认中，请勿重复付款。");
  EXPECT_TRUE(open.list("methods").empty());
  EXPECT_EQ(open.object().if_contains("offer"), nullptr);
  EXPECT_FALSE(open.object().at("may_cancel").as_bool());
}

TEST_F(Checkout, AfterARefusalTheNextOfferIsAnother) {
  std::string const offer = state().text("offer");
  Answered const refused = pay_by(offer, "sandbox:decline");
  EXPECT_EQ(refused.text("situation"), "ready");
  EXPECT_NE(refused.text("offer"), offer);
  EXPECT_EQ(pay_by(offer, "sandbox:decline").text("offer"), refused.text("offer")) << "a repeat is no new try";
  EXPECT_EQ(pay_by(refused.text("offer")).text("situation"), "paid");
  EXPECT_EQ(charged("A1"), 1);
  EXPECT_EQ(list_of("A1", "payments").size(), 2U);
}

TEST_F(Checkout, AnOrderThatCostsSomethingElseByNowIsNotPaid) {
  std::string const offer = state().text("offer");
  register_order("A1", 2999);
  Answered const now = pay_by(offer);
  EXPECT_EQ(now.text("situation"), "ready");
  EXPECT_EQ(now.text("amount_text"), "29.99");
  EXPECT_EQ(bank_calls("A1"), 0);
  EXPECT_EQ(pay_by(now.text("offer")).text("situation"), "paid");
}

TEST_F(Checkout, TheBuyerCancelsAndPaysInAnotherWay) {
  Answered const waiting = pay_by(state().text("offer"), "sandbox:approve");
  json::object const payment = waiting.object().at("payment").as_object();
  EXPECT_EQ(payment.at("action").as_string(), "qr");
  EXPECT_TRUE(waiting.object().at("may_cancel").as_bool());
  Answered const canceled = cancel(payment_of(waiting));
  EXPECT_EQ(canceled.text("situation"), "ready");
  EXPECT_EQ(cancel(payment_of(waiting)).text("situation"), "ready") << "a second press";
  EXPECT_EQ(pay_by(canceled.text("offer")).text("situation"), "paid");
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(Checkout, ATokenReachesNoOtherOrder) {
  register_order("A2");
  std::string const other = pay("A2", "k-1", "approve").text("id");
  EXPECT_EQ(cancel(other).status, 404);
  EXPECT_EQ(payment(other).text("state"), "REQUIRES_ACTION");
  EXPECT_EQ(state().text("order_id"), "A1");
  for (std::string const& wrong : {path + "x", std::string{"/checkout/x"}, path.substr(0, path.find('.'))}) {
    EXPECT_EQ(call_as("", "GET", wrong + "/state").status, 404);
    EXPECT_EQ(call_as("", "POST", wrong + "/pay", R"({"offer":"1-1999-USD","method":"sandbox"})").status, 404);
  }
  EXPECT_EQ(bank_calls("A1"), 0);
}

TEST_F(Checkout, AMalformedPressBeginsNothing) {
  for (std::string const body :
       {"{}", "[]", R"({"offer":"1","method":"sandbox"})", R"({"offer":"1-1999-USD"})",
        R"({"offer":"0-1999-USD","method":"sandbox"})", R"({"offer":"1-1999-USD","method":"sandbox","amount":1})"})
    EXPECT_EQ(call_as("", "POST", path + "/pay", body).status, 400) << body;
  EXPECT_EQ(pay_by("1-1999-USD", "sandbox:stolen").code(), "provider_unknown");
  EXPECT_TRUE(list_of("A1", "payments").empty());
}

TEST_F(Checkout, AnExpiredTokenReadsAndDoesNothing) {
  std::string const offer = state().text("offer");
  CheckoutGrant const grant{{MerchantId{"shop"}, OrderId{"A1"}}, clock.now() - 1s, ""};
  path = "/checkout/" + seal_checkout_token(grant, secret);
  EXPECT_EQ(state().text("situation"), "expired");
  EXPECT_EQ(pay_by(offer).text("situation"), "expired");
  EXPECT_TRUE(list_of("A1", "payments").empty());
  pay("A1", "k-1");
  EXPECT_EQ(state().text("situation"), "paid");
}

TEST_F(Checkout, ALongPollAnswersWhenSomethingChanges) {
  Answered const ready = state();
  std::string const seen = "&seen=" + ready.text("version");
  EXPECT_EQ(call_as("", "GET", path + "/state?wait=1" + seen).text("version"), ready.text("version"));
  PendingPtr const elsewhere = send_as("", "GET", path + "/state?wait=30" + seen);
  Answered const waiting = pay_by(ready.text("offer"), "sandbox:approve");
  EXPECT_NE(await(elsewhere).text("situation"), "ready") << "confirming, and then action";
  PendingPtr const here = send_as("", "GET", path + "/state?wait=30&seen=" + waiting.text("version"));
  pass(100ms);
  EXPECT_FALSE(here->done);
  bank("POST", "/pay/" + payment_of(waiting) + "/approve");
  EXPECT_EQ(await(here).text("situation"), "paid");
  EXPECT_EQ(call_as("", "GET", path + "/state?wait=30&seen=other").text("situation"), "paid");
}

TEST_F(Checkout, ResultsOfTheOrderAreTold) {
  std::string const id = pay("A1", "k-1").text("id");
  auto const refund = [&](std::string const& key, int amount) {
    call("POST", "/v1/payments/" + id + "/refunds",
         json::serialize(json::object{{"amount", amount}, {"reason", "returned"}}), {{"Idempotency-Key", key}});
  };
  refund("r-1", 999);
  EXPECT_EQ(await_situation("paid").text("refunded_text"), "9.99");
  refund("r-2", 1000);
  EXPECT_EQ(await_situation("refunded").text("refunded_text"), "19.99");
  register_order("A2");
  path = path_for("A2", R"({"return_url":"https://shop.example/A2"})");
  call("POST", "/v1/orders/A2/close");
  EXPECT_EQ(state().text("situation"), "closed");
  EXPECT_EQ(state().text("return_url"), "https://shop.example/A2");
  EXPECT_EQ(pay_by("1-1999-USD").text("situation"), "closed");
}

TEST_F(Checkout, ThePageTellsTheTruthWithoutAScript) {
  Answered const ready = call_as("", "GET", path);
  EXPECT_EQ(ready.status, 200);
  EXPECT_NE(ready.body.find("19.99 USD"), std::string::npos);
  EXPECT_NE(ready.header("Content-Security-Policy").find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(ready.header("Cache-Control"), "no-store");
  pay_into_the_dark();
  Answered const zh = call_as("", "GET", path, "", {{"Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8"}});
  EXPECT_NE(zh.body.find("支付结果确认中，请勿重复付款。</p>"), std::string::npos) << zh.body;
  EXPECT_NE(zh.body.find("http-equiv=\"refresh\""), std::string::npos);
  Answered const en = call_as("", "GET", path + "?lang=en", "", {{"Accept-Language", "zh-CN"}});
  EXPECT_NE(en.body.find("Please do not pay again.</p>"), std::string::npos);
}

TEST_F(Checkout, AnOrderCanWriteNothingIntoThePage) {
  call("PUT", "/v1/orders/%3Cscript%3E%22'&", R"({"amount":1,"currency":"USD"})");
  Answered const page = call_as("", "GET", path_for("%3Cscript%3E%22'&"));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body.find("<script>"), std::string::npos);
  EXPECT_NE(page.body.find("&lt;script&gt;&quot;&#39;&amp;"), std::string::npos);
}

TEST_F(Checkout, PagesThatKnowNoOrderAreReadOnlyAndSaySo) {
  EXPECT_EQ(call_as("", "GET", "/checkout/nonsense").status, 404);
  Answered const back = call_as("", "GET", "/checkout/return?out_trade_no=1&sign=x");
  EXPECT_EQ(back.status, 200);
  EXPECT_NE(back.body.find("no need to pay again"), std::string::npos);
  auto const at = back.body.find("/checkout/assets/page.js?v=");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(call_as("", "GET", back.body.substr(at, back.body.find('"', at) - at)).status, 200);
  EXPECT_EQ(call_as("", "GET", "/checkout/assets/page.css").header("Content-Type"), "text/css; charset=utf-8");
  EXPECT_EQ(call_as("", "GET", "/checkout/assets/secret.txt").status, 404);
}

}  // namespace payonce::test
