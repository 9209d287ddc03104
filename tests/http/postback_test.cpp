// PayPal's webhooks when PayPal itself is asked whether they are genuine, over the real service and the bank's dialect.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/open_store.h"
#include "http/api_fixture.h"
#include "store/store.h"

namespace payonce::test {
namespace {

class HttpPostback : public HttpApi {
 protected:
  void SetUp() override {
    // Webhooks are taken here and handed on by the test.
    receiver = std::move(*HttpServer::listen(loop, {}, [this](HttpRequest request, Respond respond) {
      webhooks.push_back(std::move(request));
      respond({.status = 200});
    }));
    bank_options.keys_path = data_path + "_keys";
    bank_options.buyers_pay = true;
    bank_options.paypal_notify_url = fmt::format("http://127.0.0.1:{}/", receiver->port());
    HttpApi::SetUp();

    std::ifstream file{bank_options.keys_path + "/paypal/settings.json"};
    json::value const keys = json::parse(std::string{std::istreambuf_iterator<char>{file}, {}});
    auto const text = [&](std::string_view name) { return std::string{keys.at(name).as_string()}; };
    ProviderSettings paypal;
    paypal.name = paypal.kind = "paypal";
    paypal.url = sandbox->url();
    paypal.api_secret = text("client_secret");
    paypal.options = {{"client_id", {text("client_id")}},
                      {"webhook_id", {text("webhook_id")}},
                      {"webhook_check", {std::string{"postback"}}}};
    paypal.call_timeout = 2s;
    settings.providers.push_back(paypal);
    settings.merchants[0].providers = {"paypal"};
    restart_service();
  }
  ~HttpPostback() override { std::filesystem::remove_all(bank_options.keys_path); }

  int deliver(HttpRequest const& webhook) {
    HttpHeaders headers;
    for (HttpHeader const& header : webhook.headers)
      if (header.name.starts_with("PAYPAL-") || header.name.starts_with("paypal-")) headers.push_back(header);
    return await(send("POST", "/v1/notices/paypal", webhook.body, headers)).status;
  }
  std::size_t stored(std::string const& id) {
    auto const store = open_store(database_url);
    return (*store)->open_reader()->notices_of(AttemptId{id}).size();
  }

  std::unique_ptr<HttpServer> receiver;
  std::vector<HttpRequest> webhooks;
};

TEST_F(HttpPostback, OnlyAWebhookThatPaypalCallsItsOwnIsBelieved) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", {}, "wait=0").text("id");
  until([&] { return !webhooks.empty(); });
  HttpRequest forged = webhooks[0];
  forged.body.replace(forged.body.find("19.99"), 5, "19.98");
  EXPECT_EQ(deliver(forged), 401);
  EXPECT_EQ(stored(id), 0u);
  EXPECT_EQ(deliver(webhooks[0]), 200);
  EXPECT_EQ(stored(id), 1u);
  await_state(id, "SUCCEEDED");
}

TEST_F(HttpPostback, WhilePaypalCanNotBeAskedAWebhookIsNotTakenAndComesAgain) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", {}, "wait=0").text("id");
  until([&] { return !webhooks.empty(); });
  sandbox.reset();
  EXPECT_EQ(deliver(webhooks[0]), 503);
  EXPECT_EQ(stored(id), 0u);
}

}  // namespace
}  // namespace payonce::test
