// A sandbox bank and a merchant that takes its notices, both on real sockets, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/crypto.h"
#include "sandbox/server.h"

namespace payonce::sandbox {

namespace json = boost::json;
using namespace std::chrono_literals;

inline constexpr std::string_view notice_secret = "whsec_test";

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

inline json::object object(HttpAnswer const& answer) { return json::parse(answer.body).as_object(); }

}  // namespace payonce::sandbox
