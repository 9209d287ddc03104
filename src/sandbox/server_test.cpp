// The sandbox bank over real HTTP: the protocol, every fault, notices, restarts, the pages.
#include "sandbox/server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "base/crypto.h"
#include "net/url.h"

namespace payonce {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr std::string_view notice_secret = "whsec_test";

class SandboxServerTest : public testing::Test {
 protected:
  SandboxServerTest() : data_path(testing::TempDir() + "sandbox_" + std::to_string(::getpid())) {
    ::setenv("no_proxy", "127.0.0.1", 1);
    std::filesystem::remove(data_path);
    merchant = std::move(*HttpServer::listen(loop, {}, [this](HttpRequest request, Respond respond) {
      notices.push_back(std::move(request));
      respond({.status = merchant_status});
      if (notices.size() >= notices_awaited) loop.stop();
    }));
    loop.after(60s, [] { throw std::runtime_error("this test waits for something that never came"); });
    options.data_path = data_path;
    options.notice_secret = notice_secret;
    options.settle_delay = 20ms;
    options.notice_retry = 1ms;
    options.notice_tries_max = 3;
  }
  ~SandboxServerTest() override {
    sandbox.reset();
    std::filesystem::remove(data_path);
  }

  void start() {
    sandbox.reset();
    auto started = SandboxServer::start(
        options, {.loop = loop, .clock = clock, .random = random, .client = client, .kill_process = [this] {
                    ++kills;
                    sandbox.reset();
                  }});
    ASSERT_TRUE(started) << started.error().detail;
    sandbox = std::move(*started);
  }
  void start_with_notices() {
    options.notify_url = "http://127.0.0.1:" + std::to_string(merchant->port()) + "/v1/notices/sandbox";
    start();
  }

  void send(std::string method, std::string target, std::string body, HttpClient::Done done, HttpHeaders headers = {}) {
    HttpCall call;
    call.method = std::move(method);
    call.url = sandbox->url() + std::move(target);
    call.headers = std::move(headers);
    call.body = std::move(body);
    client.send(std::move(call), std::move(done));
  }
  HttpAnswer call(std::string method, std::string target, std::string body = {}, HttpHeaders headers = {}) {
    HttpAnswer got;
    bool done = false;
    send(
        std::move(method), std::move(target), std::move(body),
        [&](HttpAnswer answer) {
          got = std::move(answer);
          done = true;
          loop.stop();
        },
        std::move(headers));
    while (!done) loop.run();
    return got;
  }
  HttpAnswer charge(std::string const& number, std::string_view method = "card", std::int64_t amount = 1999) {
    json::object const body{
        {"number", number}, {"order", "A1"}, {"amount", amount}, {"currency", "USD"}, {"method", method}};
    return call("POST", "/v1/charges", json::serialize(body), {{"Idempotency-Key", number}});
  }
  HttpAnswer refund(std::string const& number, std::int64_t amount) {
    json::object const body{{"number", number}, {"charge_number", "pay_1"}, {"amount", amount}, {"currency", "USD"}};
    return call("POST", "/v1/refunds", json::serialize(body));
  }
  void fault(std::string_view call_name, std::string_view name, std::int64_t delay_ms = 0, std::int64_t times = 1) {
    json::object const body{{"call", call_name}, {"fault", name}, {"delay_ms", delay_ms}, {"times", times}};
    ASSERT_EQ(call("POST", "/faults", json::serialize(body)).status, 200) << name;
  }
  json::object ledger() { return json::parse(call("GET", "/ledger").body).as_object(); }
  std::size_t charges() { return ledger().at("charges").as_array().size(); }

  void await_notices(std::size_t count) {
    notices_awaited = count;
    while (notices.size() < count) loop.run();
    notices_awaited = SIZE_MAX;
  }
  json::object notice(std::size_t index) { return json::parse(notices.at(index).body).as_object(); }
  static bool is_signed(HttpRequest const& request) {
    std::string const header{request.header("Sandbox-Signature").value_or("")};
    std::string const t = header.substr(2, header.find(',') - 2);
    return header == "t=" + t + ",v1=" + hmac_sha256_hex(notice_secret, t + "." + request.body);
  }

  std::string const data_path;
  SystemClock clock;
  SystemRandom random;
  AsioLoop loop;
  CurlHttpClient client{loop};
  std::unique_ptr<HttpServer> merchant;
  int merchant_status = 200;
  std::vector<HttpRequest> notices;
  std::size_t notices_awaited = SIZE_MAX;
  SandboxOptions options;
  int kills = 0;
  std::unique_ptr<SandboxServer> sandbox;
};

json::object object(HttpAnswer const& answer) { return json::parse(answer.body).as_object(); }

TEST_F(SandboxServerTest, a_charge_is_answered_as_the_protocol_says_and_the_same_when_it_is_repeated) {
  start();
  auto const answer = charge("pay_1");
  EXPECT_EQ(answer.status, 200);
  json::object const body = object(answer);
  EXPECT_TRUE(body.at("id").as_string().starts_with("ch_"));
  for (auto const& [name, value] : json::object{{"number", "pay_1"},
                                                {"order", "A1"},
                                                {"status", "succeeded"},
                                                {"amount", 1999},
                                                {"currency", "USD"},
                                                {"code", ""},
                                                {"message", ""},
                                                {"action_url", ""},
                                                {"account", "sandbox-account"}})
    EXPECT_EQ(body.at(name), value) << name;
  EXPECT_EQ(charge("pay_1").body, answer.body);
  EXPECT_EQ(call("GET", "/v1/charges/pay_1").body, answer.body);
  EXPECT_EQ(charges(), 1u);
}

TEST_F(SandboxServerTest, refusals_have_their_status_and_code) {
  start();
  auto const declined = charge("pay_2", "decline");
  EXPECT_EQ(declined.status, 402);
  EXPECT_EQ(object(declined).at("status"), "declined");
  EXPECT_EQ(object(declined).at("code"), "card_declined");
  EXPECT_EQ(call("GET", "/v1/charges/pay_2").status, 200);

  charge("pay_1");
  auto const reused = charge("pay_1", "card", 2000);
  EXPECT_EQ(reused.status, 409);
  EXPECT_EQ(object(reused).at("code"), "number_reused");
  EXPECT_EQ(object(reused).at("field"), "amount");

  auto const unknown = call("GET", "/v1/charges/pay_9");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(object(unknown).at("code"), "charge_not_found");
  EXPECT_EQ(object(call("GET", "/v1/refunds/ref_9")).at("code"), "refund_not_found");
  EXPECT_EQ(object(charge("pay_3", "barter")).at("code"), "unknown_method");
  EXPECT_EQ(call("GET", "/v1/elsewhere").status, 404);
}

TEST_F(SandboxServerTest, malformed_requests_are_refused_and_charge_nothing) {
  start();
  std::string_view const bodies[] = {
      "",
      "[]",
      R"({"order":"A1","amount":1,"currency":"USD"})",
      R"({"number":"pay 1","order":"A1","amount":1,"currency":"USD"})",
      R"({"number":"pay_1","order":"A1","amount":0,"currency":"USD"})",
      R"({"number":"pay_1","order":"A1","amount":1.5,"currency":"USD"})",
      R"({"number":"pay_1","order":"A1","amount":"1","currency":"USD"})",
      R"({"number":"pay_1","order":"A1","amount":1,"currency":"usd"})",
      R"({"number":"pay_1","order":"A1","amount":1,"currency":"USD","expires_at":"tomorrow"})",
  };
  for (auto const body : bodies) {
    auto const answer = call("POST", "/v1/charges", std::string{body});
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(object(answer).at("code"), "invalid_request");
  }
  auto const other_key = call("POST", "/v1/charges", R"({"number":"pay_1","order":"A1","amount":1,"currency":"USD"})",
                              {{"Idempotency-Key", "pay_2"}});
  EXPECT_EQ(other_key.status, 400);
  EXPECT_EQ(charges(), 0u);
}

TEST_F(SandboxServerTest, a_secret_guards_the_merchants_calls_only) {
  options.api_secret = "sk_test";
  start();
  EXPECT_EQ(charge("pay_1").status, 401);
  EXPECT_EQ(call("GET", "/v1/charges/pay_1", {}, {{"Authorization", "Bearer sk_tesT"}}).status, 401);
  EXPECT_EQ(call("GET", "/v1/charges/pay_1", {}, {{"Authorization", "Bearer sk_test"}}).status, 404);
  EXPECT_EQ(call("GET", "/healthz").status, 200);
  EXPECT_EQ(charges(), 0u);
}

TEST_F(SandboxServerTest, a_closed_number_is_barred_also_after_a_restart) {
  start();
  auto const closed = call("POST", "/v1/charges/pay_1/close");
  EXPECT_EQ(closed.status, 200);
  EXPECT_EQ(object(closed).at("status"), "closed");
  start();
  auto const refused = charge("pay_1");
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(object(refused).at("status"), "closed");
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_1")).at("status"), "closed");
  EXPECT_EQ(ledger().at("barred"), json::array{"pay_1"});
  EXPECT_EQ(charges(), 0u);
}

TEST_F(SandboxServerTest, refunds_are_answered_as_the_protocol_says) {
  start();
  charge("pay_1");
  auto const done = refund("ref_1", 1000);
  EXPECT_EQ(done.status, 200);
  EXPECT_EQ(object(done).at("status"), "succeeded");
  EXPECT_EQ(object(done).at("charge_number"), "pay_1");
  EXPECT_EQ(refund("ref_1", 1000).body, done.body);
  EXPECT_EQ(call("GET", "/v1/refunds/ref_1").body, done.body);
  auto const refused = refund("ref_2", 1000);
  EXPECT_EQ(refused.status, 402);
  EXPECT_EQ(object(refused).at("code"), "exceeds_charge");
  EXPECT_EQ(refund("ref_1", 999).status, 409);
  json::object const sums = ledger().at("by_order").at("A1").as_object();
  EXPECT_EQ(sums.at("charged"), 1);
  EXPECT_EQ(sums.at("charged_minor"), 1999);
  EXPECT_EQ(sums.at("refunded_minor"), 1000);
}

TEST_F(SandboxServerTest, a_forgetful_bank_charges_every_request) {
  options.forgetful = true;
  start();
  charge("pay_1");
  charge("pay_1");
  EXPECT_EQ(charges(), 2u);
  EXPECT_EQ(ledger().at("by_order").at("A1").at("charged"), 2);
}

// The faults of calls.

TEST_F(SandboxServerTest, fault_drop_after_charges_and_answers_nothing) {
  start();
  fault("create", "drop_after");
  EXPECT_EQ(charge("pay_1").delivery, Delivery::in_doubt);
  EXPECT_EQ(charges(), 1u);
  EXPECT_EQ(object(charge("pay_1")).at("status"), "succeeded");
  EXPECT_EQ(charges(), 1u);
}

TEST_F(SandboxServerTest, fault_drop_before_charges_nothing) {
  start();
  fault("create", "drop_before");
  EXPECT_EQ(charge("pay_1").delivery, Delivery::in_doubt);
  EXPECT_EQ(charges(), 0u);
}

TEST_F(SandboxServerTest, fault_late_charges_at_once_and_answers_after_the_delay) {
  start();
  fault("create", "late", 80);
  auto const begun = clock.monotonic();
  HttpAnswer late;
  send("POST", "/v1/charges", R"({"number":"pay_1","order":"A1","amount":1,"currency":"USD"})", [&](HttpAnswer answer) {
    late = std::move(answer);
    EXPECT_GE(clock.monotonic() - begun, 80ms);
    loop.stop();
  });
  while (charges() == 0) {
  }
  EXPECT_EQ(late.status, 0) << "charged before it was answered";
  while (late.status == 0) loop.run();
  EXPECT_EQ(object(late).at("status"), "succeeded");
}

TEST_F(SandboxServerTest, fault_late_before_charges_only_after_the_delay) {
  start();
  fault("create", "late_before", 50);
  auto const begun = clock.now();
  EXPECT_EQ(object(charge("pay_1")).at("status"), "succeeded");
  auto const created = parse_rfc3339(ledger().at("charges").at(0).at("created_at").as_string().c_str());
  EXPECT_GE(*created - begun, 50ms);
}

TEST_F(SandboxServerTest, faults_of_server_errors_before_and_after) {
  start();
  fault("create", "answer_500_before");
  EXPECT_EQ(charge("pay_1").status, 500);
  fault("create", "answer_503_before");
  EXPECT_EQ(charge("pay_1").status, 503);
  EXPECT_EQ(charges(), 0u);
  fault("create", "answer_500_after");
  EXPECT_EQ(charge("pay_1").status, 500);
  EXPECT_EQ(charges(), 1u);
}

TEST_F(SandboxServerTest, fault_nonsense_answers_200_with_what_is_not_json) {
  start();
  fault("create", "nonsense");
  auto const answer = charge("pay_1", "decline");
  EXPECT_EQ(answer.status, 200);
  boost::system::error_code error;
  json::parse(answer.body, error);
  EXPECT_TRUE(error);
  EXPECT_EQ(charges(), 1u);
}

TEST_F(SandboxServerTest, faults_of_untrue_answers) {
  start();
  fault("create", "nonsense_json");
  auto const odd = charge("pay_1");
  EXPECT_EQ(odd.status, 200);
  EXPECT_EQ(object(odd).at("status"), "sideways");
  fault("query", "in_progress");
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_1")).at("status"), "pending");
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_1")).at("status"), "succeeded");
  fault("refund", "in_progress");
  EXPECT_EQ(object(refund("ref_1", 1)).at("status"), "pending");
  EXPECT_EQ(object(call("GET", "/v1/refunds/ref_1")).at("status"), "succeeded");
  fault("close", "in_progress");
  EXPECT_EQ(object(call("POST", "/v1/charges/pay_2/close")).at("status"), "pending");
}

TEST_F(SandboxServerTest, faults_that_decline) {
  start();
  fault("create", "decline");
  EXPECT_EQ(charge("pay_2").status, 402);
  charge("pay_1");
  fault("refund", "decline");
  EXPECT_EQ(object(refund("ref_1", 1)).at("code"), "refund_declined");

  fault("create", "decline_then_succeed");
  EXPECT_EQ(charge("pay_3").status, 402);
  while (object(call("GET", "/v1/charges/pay_3")).at("status") != "succeeded") {
  }
  EXPECT_EQ(object(charge("pay_3")).at("status"), "succeeded");
}

TEST_F(SandboxServerTest, fault_trickle_answers_in_small_pieces) {
  start();
  fault("query", "trickle", 2);
  charge("pay_1");
  auto const begun = clock.monotonic();
  auto const answer = call("GET", "/v1/charges/pay_1");
  EXPECT_EQ(object(answer).at("status"), "succeeded");
  // 16 bytes a piece, with a pause before each.
  EXPECT_GE(clock.monotonic() - begun, 2ms * static_cast<int>(answer.body.size() / 16));
}

TEST_F(SandboxServerTest, fault_restart_charges_dies_and_remembers) {
  start();
  fault("create", "restart");
  EXPECT_EQ(charge("pay_1").delivery, Delivery::in_doubt);
  EXPECT_EQ(kills, 1);
  start();
  EXPECT_EQ(charges(), 1u);
  EXPECT_EQ(object(charge("pay_1")).at("status"), "succeeded");
  EXPECT_EQ(charges(), 1u);
  json::array const calls = ledger().at("calls").as_array();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls.at(0).at("fault"), "restart");
  EXPECT_EQ(calls.at(1).at("fault"), "");
}

// Notices.

TEST_F(SandboxServerTest, ends_are_noticed_and_signed) {
  start_with_notices();
  charge("pay_1");
  await_notices(1);
  EXPECT_TRUE(is_signed(notices[0]));
  EXPECT_EQ(notices[0].target, "/v1/notices/sandbox");
  EXPECT_EQ(notice(0).at("type"), "charge.succeeded");
  charge("pay_2", "approve");
  charge("pay_3", "decline");
  await_notices(2);
  EXPECT_EQ(notice(1).at("type"), "charge.declined");
  call("POST", "/v1/charges/pay_2/close");
  await_notices(3);
  EXPECT_EQ(notice(2).at("type"), "charge.closed");
  refund("ref_1", 5);
  await_notices(4);
  EXPECT_EQ(notice(3).at("refund_number"), "ref_1");
  charge("pay_4", "pending");
  await_notices(5);
  EXPECT_EQ(notice(4).at("number"), "pay_4");
  EXPECT_EQ(notice(4).at("status"), "succeeded");
}

TEST_F(SandboxServerTest, a_notice_comes_again_until_it_is_taken_and_is_signed_each_time) {
  start_with_notices();
  merchant_status = 500;
  charge("pay_1");
  await_notices(2);
  merchant_status = 200;
  await_notices(3);
  for (HttpRequest const& each : notices) {
    EXPECT_EQ(each.body, notices[0].body);
    EXPECT_TRUE(is_signed(each));
  }
  while (sandbox->service().notices_running() > 0) call("GET", "/healthz");
  EXPECT_EQ(notices.size(), 3u);
}

TEST_F(SandboxServerTest, a_notice_is_given_up_after_its_tries) {
  start_with_notices();
  merchant_status = 500;
  charge("pay_1");
  while (notices.empty() || sandbox->service().notices_running() > 0) call("GET", "/healthz");
  EXPECT_EQ(notices.size(), 3u);
}

TEST_F(SandboxServerTest, a_notice_that_was_not_taken_survives_a_restart) {
  start_with_notices();
  options.notice_retry = 1h;
  start();
  merchant_status = 503;
  charge("pay_1");
  await_notices(1);
  merchant_status = 200;
  start();
  await_notices(2);
  EXPECT_EQ(notices[0].body, notices[1].body);
  while (sandbox->service().notices_running() > 0) call("GET", "/healthz");
  start();
  charge("pay_2", "decline");
  await_notices(3);
  EXPECT_EQ(notice(2).at("number"), "pay_2") << "a notice that was taken is not sent again";
}

TEST_F(SandboxServerTest, a_pending_charge_succeeds_after_a_restart_too) {
  options.settle_delay = 1h;
  start_with_notices();
  charge("pay_1", "pending");
  sandbox.reset();
  // The journal says when it is due; an hour is over for a bank whose clock says so.
  class Later final : public Clock {
   public:
    Time now() const override { return clock.now() + 1h; }
    std::chrono::nanoseconds monotonic() const override { return clock.monotonic(); }
    SystemClock clock;
  } later;
  sandbox =
      std::move(*SandboxServer::start(options, {.loop = loop, .clock = later, .random = random, .client = client}));
  await_notices(1);
  EXPECT_EQ(notice(0).at("status"), "succeeded");
  sandbox.reset();
}

TEST_F(SandboxServerTest, notice_fault_early_comes_before_the_answer) {
  start_with_notices();
  fault("notice", "early", 30);
  bool answered = false;
  send("POST", "/v1/charges", R"({"number":"pay_1","order":"A1","amount":1,"currency":"USD"})", [&](HttpAnswer) {
    answered = true;
    loop.stop();
  });
  await_notices(1);
  EXPECT_FALSE(answered);
  while (!answered) loop.run();
}

TEST_F(SandboxServerTest, notice_faults_late_and_never) {
  start_with_notices();
  fault("notice", "late", 60);
  auto const begun = clock.monotonic();
  charge("pay_1");
  await_notices(1);
  EXPECT_GE(clock.monotonic() - begun, 60ms);
  fault("notice", "never");
  charge("pay_2");
  charge("pay_3");
  await_notices(2);
  EXPECT_EQ(notice(1).at("number"), "pay_3");
}

TEST_F(SandboxServerTest, notice_faults_of_repetition) {
  start_with_notices();
  fault("notice", "twice");
  charge("pay_1");
  await_notices(2);
  EXPECT_EQ(notices[0].body, notices[1].body);
  fault("notice", "ten_parallel");
  charge("pay_2");
  await_notices(12);
  for (std::size_t i = 2; i < 12; ++i) EXPECT_EQ(notices[i].body, notices[2].body);
  fault("notice", "reordered");
  charge("pay_3");
  await_notices(14);
  EXPECT_EQ(notice(12).at("type"), "charge.succeeded");
  EXPECT_EQ(notice(13).at("type"), "charge.pending");
  EXPECT_EQ(notice(13).at("number"), "pay_3");
}

TEST_F(SandboxServerTest, notice_faults_of_content) {
  start_with_notices();
  std::pair<std::string_view, std::string_view> const faults[] = {{"wrong_amount", "amount"},
                                                                  {"wrong_currency", "currency"},
                                                                  {"wrong_account", "account"},
                                                                  {"foreign_number", "number"},
                                                                  {"unknown_number", "number"}};
  std::size_t count = 0;
  charge("pay_0");
  await_notices(++count);
  for (auto const& [name, field] : faults) {
    fault("notice", name);
    charge("pay_" + std::to_string(count));
    await_notices(++count);
    EXPECT_TRUE(is_signed(notices.back())) << name;
    EXPECT_NE(notice(count - 1).at(field), notice(0).at(field)) << name;
  }
  fault("notice", "wrong_signature");
  merchant_status = 401;
  charge("pay_9");
  await_notices(++count);
  EXPECT_FALSE(is_signed(notices.back()));
}

TEST_F(SandboxServerTest, a_notice_by_hand_says_what_it_is_told_to) {
  start_with_notices();
  fault("notice", "never");
  charge("pay_1");
  auto const sent = call("POST", "/notices", R"({"number":"pay_1","type":"charge.declined","amount":5,"copies":3})");
  EXPECT_EQ(sent.status, 200);
  EXPECT_EQ(object(sent).at("tries").as_array().size(), 3u);
  EXPECT_EQ(object(sent).at("tries").at(0).at("status"), 200);
  ASSERT_EQ(notices.size(), 3u);
  EXPECT_EQ(notice(0).at("id"), object(sent).at("id"));
  EXPECT_EQ(notice(0).at("status"), "declined");
  EXPECT_EQ(notice(0).at("amount"), 5);
  EXPECT_EQ(notice(0).at("currency"), "USD");
  EXPECT_EQ(call("POST", "/notices", R"({"number":"pay_9","type":"charge.succeeded"})").status, 400);
  EXPECT_EQ(call("POST", "/notices", R"({"number":"pay_9","type":"charge.succeeded","body":"not JSON"})").status, 200);
  EXPECT_EQ(notices.back().body, "not JSON");
  EXPECT_TRUE(is_signed(notices.back()));
}

// The control plane and the pages.

TEST_F(SandboxServerTest, faults_are_listed_cleared_and_refused_when_they_make_no_sense) {
  start();
  fault("create", "late", 7, 2);
  auto const queued = object(call("GET", "/faults")).at("queued").as_array();
  ASSERT_EQ(queued.size(), 1u);
  EXPECT_EQ(queued[0],
            (json::object{{"call", "create"}, {"fault", "late"}, {"order", ""}, {"times", 2}, {"delay_ms", 7}}));
  EXPECT_EQ(call("DELETE", "/faults").status, 200);
  EXPECT_EQ(object(call("GET", "/faults")).at("queued").as_array().size(), 0u);
  for (std::string_view const body : {R"({"call":"create","fault":"twice"})", R"({"call":"create","fault":"explode"})",
                                      R"({"call":"x","fault":"late"})", R"({"call":"create","fault":"late","time":2})",
                                      R"({"call":"create","fault":"late","times":0})"})
    EXPECT_EQ(call("POST", "/faults", std::string{body}).status, 400) << body;
}

TEST_F(SandboxServerTest, a_fault_for_an_order_leaves_the_others_alone) {
  start();
  call("POST", "/faults", R"({"call":"create","fault":"decline","order":"A2"})");
  EXPECT_EQ(charge("pay_1").status, 200);
  auto const other = call("POST", "/v1/charges", R"({"number":"pay_2","order":"A2","amount":1,"currency":"USD"})");
  EXPECT_EQ(other.status, 402);
}

TEST_F(SandboxServerTest, rates_hit_their_calls) {
  start();
  auto const set = call("PUT", "/rates", R"({"seed":7,"create":{"answer_500_after":1},"query":{"late":0.5}})");
  EXPECT_EQ(set.status, 200);
  EXPECT_EQ(object(set).at("rates").at("create").at("answer_500_after"), 1.0);
  EXPECT_EQ(charge("pay_1").status, 500);
  EXPECT_EQ(call("PUT", "/rates", "{}").status, 200);
  EXPECT_EQ(charge("pay_1").status, 200);
  for (std::string_view const body : {R"({"create":{"twice":0.1}})", R"({"create":{"late":1.5}})", R"({"made_up":{}})",
                                      R"({"create":{"late":0.6,"decline":0.6}})"})
    EXPECT_EQ(call("PUT", "/rates", std::string{body}).status, 400) << body;
}

TEST_F(SandboxServerTest, the_ledger_counts_calls_and_can_be_asked_for_one_order) {
  start();
  charge("pay_1");
  charge("pay_1");
  call("GET", "/v1/charges/pay_1");
  call("POST", "/v1/charges", R"({"number":"pay_2","order":"B/2","amount":7,"currency":"JPY"})");
  json::array const calls = ledger().at("calls").as_array();
  ASSERT_EQ(calls.size(), 4u);
  EXPECT_EQ(calls[1].at("call"), "create");
  EXPECT_EQ(calls[1].at("number"), "pay_1");
  EXPECT_EQ(calls[2].at("call"), "query");
  EXPECT_EQ(calls[2].at("order"), "A1");
  auto const one = object(call("GET", "/ledger?order=B%2F2"));
  EXPECT_EQ(one.at("charges").as_array().size(), 1u);
  EXPECT_EQ(one.at("calls").as_array().size(), 1u);
  EXPECT_EQ(one.at("by_order"), (json::object{{"B/2", {{"charged", 1}, {"charged_minor", 7}, {"refunded_minor", 0}}}}));
}

TEST_F(SandboxServerTest, a_person_approves_or_refuses_on_the_page) {
  start_with_notices();
  auto const open = charge("pay_1", "approve");
  EXPECT_EQ(object(open).at("status"), "requires_action");
  EXPECT_EQ(object(open).at("action_url").as_string(), sandbox->url() + "/pay/pay_1");
  auto const page = call("GET", "/pay/pay_1");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("action=\"/pay/pay_1/approve\""), std::string::npos);
  EXPECT_NE(page.body.find("19.99 USD"), std::string::npos);
  EXPECT_NE(page.body.find("确认支付"), std::string::npos);
  EXPECT_NE(call("GET", "/").body.find("/pay/pay_1"), std::string::npos);

  auto const approved = call("POST", "/pay/pay_1/approve");
  EXPECT_EQ(approved.status, 303);
  EXPECT_EQ(approved.header("Location"), "/pay/pay_1");
  await_notices(1);
  EXPECT_EQ(notice(0).at("status"), "succeeded");
  EXPECT_EQ(call("GET", "/pay/pay_1").body.find("<form"), std::string::npos);
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_1")).at("status"), "succeeded");

  charge("pay_2", "approve");
  call("POST", "/pay/pay_2/refuse");
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_2")).at("code"), "buyer_refused");
  EXPECT_EQ(call("GET", "/pay/pay_9").status, 404);
  EXPECT_EQ(call("POST", "/pay/pay_9/approve").status, 404);
}

TEST_F(SandboxServerTest, what_callers_wrote_does_no_harm_on_the_pages) {
  start();
  json::object const body{{"number", "pay_1"}, {"order", "<script>\"&'"}, {"amount", 1}, {"currency", "USD"}};
  call("POST", "/v1/charges", json::serialize(body));
  for (std::string const target : {"/", "/pay/pay_1"}) {
    auto const page = call("GET", target).body;
    EXPECT_EQ(page.find("<script>"), std::string::npos) << target;
    EXPECT_NE(page.find("&lt;script&gt;&quot;&amp;&#39;"), std::string::npos) << target;
  }
  EXPECT_EQ(call("GET", "/pay/%3Cscript%3E").body.find("<script>"), std::string::npos);
}

TEST_F(SandboxServerTest, a_journal_that_is_damaged_or_in_use_stops_the_start) {
  start();
  auto const second = SandboxServer::start(options, {.loop = loop, .clock = clock, .random = random, .client = client});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().detail.find("in use"), std::string::npos);
}

}  // namespace
}  // namespace payonce
