// What a browser with a checkout token can do, and what it can't.
#include <filesystem>
#include <fstream>

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

TEST_F(Checkout, TheBuyerTurnsToAnotherMethodAndTheFirstIsClosedBefore) {
  Answered const waiting = pay_by(state().text("offer"), "sandbox:approve");
  std::string const first = payment_of(waiting);
  std::string const offer = waiting.text("offer");
  EXPECT_EQ(offer, "2-1999-USD-replace");
  EXPECT_EQ(waiting.list("methods").size(), 2U) << "the one that is live is no other one";
  EXPECT_EQ(pay_by("1-1999-USD").text("situation"), "action") << "an old offer replaces nothing";

  std::vector<PendingPtr> presses;
  for (int i = 0; i < 3; ++i) presses.push_back(begin(offer, "sandbox"));
  for (auto const& press : presses) EXPECT_EQ(await(press).status, 200);
  EXPECT_EQ(state().text("situation"), "paid");
  EXPECT_EQ(payment(first).text("state"), "CANCELED");
  bank("POST", "/pay/" + first + "/approve");
  EXPECT_EQ(charged("A1"), 1);
  EXPECT_EQ(list_of("A1", "payments").size(), 2U);
}

TEST_F(Checkout, TurningAwayFromWhatWasPaidMeanwhileFindsItPaid) {
  Answered const waiting = pay_by(state().text("offer"), "sandbox:approve");
  fault("notice", "never", -1, 9);
  bank("POST", "/pay/" + payment_of(waiting) + "/approve");
  EXPECT_EQ(pay_by(waiting.text("offer")).text("situation"), "paid");
  EXPECT_EQ(charged("A1"), 1);
  EXPECT_EQ(list_of("A1", "payments").size(), 1U);
}

TEST_F(Checkout, AStrictShopLetsTheBuyerWaitForTheProof) {
  Answered const waiting = pay_by(state().text("offer"), "sandbox:approve");
  fault("close", "drop_before", -1, 1000);
  Answered const closing = await(begin(waiting.text("offer"), "sandbox", "wait=1"));
  EXPECT_EQ(closing.text("situation"), "closing");
  json::object const payment = closing.object().at("payment").as_object();
  EXPECT_EQ(payment.at("state").as_string(), "REQUIRES_ACTION");
  EXPECT_NE(payment.if_contains("expires_at"), nullptr) << "for the countdown";
  EXPECT_NE(payment.if_contains("action_url"), nullptr) << "it may still be finished";
  EXPECT_EQ(closing.object().if_contains("offer"), nullptr);
  EXPECT_TRUE(closing.list("methods").empty());
  EXPECT_EQ(await(begin("2-1999-USD", "sandbox", "wait=0")).text("situation"), "closing") << "by a page that insists";
  Answered const page = call_as("", "GET", path + "?lang=en");
  EXPECT_NE(page.body.find("so that you do not pay twice.</p>"), std::string::npos) << page.body;
  EXPECT_EQ(charged("A1"), 0);

  bank("DELETE", "/faults");
  Answered const ready = await_situation("ready");
  EXPECT_EQ(ready.text("offer"), "2-1999-USD");
  EXPECT_EQ(pay_by(ready.text("offer")).text("situation"), "paid");
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(Checkout, AShopThatReleasesLetsTheBuyerGoOn) {
  settings.merchants[0].switch_mode = SwitchMode::release;
  restart_service();
  Answered const waiting = pay_by(state().text("offer"), "sandbox:approve");
  fault("close", "drop_before", -1, 1000);
  Answered const paid = await(begin(waiting.text("offer"), "sandbox", "wait=1"));
  EXPECT_EQ(paid.text("situation"), "paid");
  EXPECT_EQ(payment(payment_of(waiting)).text("state"), "RELEASED");
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(Checkout, SecretsAreRotatedWithoutARestart) {
  std::string const file = data_path + ".secret";
  auto const write = [&](std::string const& text) { std::ofstream{file} << text; };
  write(secret + "\n");
  settings.checkout.secrets = {*Secret::from_file(file), std::string(32, 'o')};
  restart_service();
  std::string const old_path = path;
  EXPECT_EQ(state().status, 200);
  write(std::string(40, 'n') + "\n");
  EXPECT_EQ(call_as("", "GET", old_path + "/state").status, 404) << "its secret is gone";
  path = path_for("A1");
  EXPECT_EQ(state().status, 200);
  CheckoutGrant const grant{{MerchantId{"shop"}, OrderId{"A1"}}, clock.now() + 60s, ""};
  path = "/checkout/" + seal_checkout_token(grant, std::string(40, 'n'));
  EXPECT_EQ(state().status, 200) << "new tokens are signed with what the file holds now";
  write("short\n");
  EXPECT_EQ(state().status, 404) << "what anybody could guess signs nothing";
  path = "/checkout/" + seal_checkout_token(grant, std::string(32, 'o'));
  EXPECT_EQ(state().status, 200);
  std::filesystem::remove(file);
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

TEST_F(Checkout, MoneyThatTheBankTookBackIsNotCalledReceived) {
  std::string const id = pay("A1", "k-1").text("id");
  auto const resolve = [&](std::string const& outcome) {
    call("POST", "/v1/payments/" + id + "/resolve",
         R"({"outcome":")" + outcome + R"(","document":"letter 4","reason":"chargeback"})");
    return state().text("situation");
  };
  EXPECT_EQ(resolve("dispute_opened"), "disputed");
  EXPECT_EQ(resolve("dispute_won"), "paid");
  EXPECT_EQ(resolve("dispute_opened"), "disputed");
  EXPECT_EQ(resolve("dispute_lost"), "reversed");
  EXPECT_EQ(pay_by("2-1999-USD").text("situation"), "reversed") << "it is paid no second time";
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
