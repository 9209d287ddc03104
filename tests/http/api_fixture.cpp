#include "http/api_fixture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/crypto.h"
#include "cli/key_store.h"
#include "http/openapi.h"
#include "net/raw_socket_test.h"

namespace payonce::test {

namespace {

constexpr std::string_view notice_secret = "notice secret of the tests";

std::string fresh_path() {
  static int counter = 0;
  return testing::TempDir() + "api_" + std::to_string(::getpid()) + "_" + std::to_string(++counter);
}

void remove_files(std::string const& path) {
  for (auto const* const suffix : {"", ".db", ".db-wal", ".db-shm", ".bank"}) std::filesystem::remove(path + suffix);
}

// The answer as it came over a raw socket.
Answered parse_answer(std::string const& text) {
  Answered answer;
  if (text.size() < 12) return answer;
  answer.status = std::stoi(text.substr(9, 3));
  auto at = text.find("\r\n") + 2;
  for (auto end = text.find("\r\n", at); end != at; at = end + 2, end = text.find("\r\n", at)) {
    auto const colon = text.find(": ", at);
    answer.headers.push_back({text.substr(at, colon - at), text.substr(colon + 2, end - colon - 2)});
  }
  answer.body = text.substr(at + 2);
  return answer;
}

void expect_described(std::string const& method, std::string const& target, Answered const& answer) {
  for (auto const& fault : OpenApi::ours().faults_of(method, target, answer.status, answer.headers, answer.body))
    ADD_FAILURE() << method << ' ' << target << ' ' << answer.status << ": " << fault << "\n" << answer.body;
}

}  // namespace

std::string Answered::text(std::string_view field) const {
  json::object const fields = object();
  auto const* value = fields.if_contains(field);
  return value && value->is_string() ? std::string{value->as_string()} : std::string{};
}

HttpApi::HttpApi() : data_path(fresh_path()), database_url("sqlite:" + data_path + ".db"), client(loop) {
  ::setenv("no_proxy", "127.0.0.1", 1);
  remove_files(data_path);
}

HttpApi::~HttpApi() {
  service.reset();
  sandbox.reset();
  shop.reset();
  remove_files(data_path);
}

void HttpApi::SetUp() {
  shop = std::move(*HttpServer::listen(loop, {}, [this](HttpRequest request, Respond respond) {
    int const status = shop_status.contains(request.target) ? shop_status.at(request.target) : 200;
    deliveries.push_back(std::move(request));
    respond({.status = status});
  }));
  bank_options.data_path = data_path + ".bank";
  bank_options.notice_secret = notice_secret;
  bank_options.settle_delay = 200ms;
  bank_options.notice_retry = 20ms;
  auto started = SandboxServer::start(
      bank_options,
      {.loop = loop, .clock = clock, .random = random, .client = client, .kill_process = [] { FAIL() << "killed"; }});
  ASSERT_TRUE(started) << started.error().detail;
  sandbox = std::move(*started);

  ProviderSettings provider;
  provider.name = provider.kind = "sandbox";
  provider.url = sandbox->url();
  provider.account = bank_options.account;
  provider.notice_secrets = {std::string{notice_secret}};
  provider.call_timeout = 300ms;
  provider.retry_first = 30ms;
  provider.retry_longest = 200ms;
  provider.request_life = 200ms;
  ProviderSettings instant;
  instant.name = instant.kind = "instant";
  settings.server.port = 0;
  settings.server.shutdown_deadline = 5s;
  settings.database.url = database_url;
  settings.log.requests = false;
  settings.providers = {provider, instant};
  std::string const shop_url = fmt::format("http://127.0.0.1:{}", shop->port());
  std::string const secret(32, 's');
  settings.merchants = {{MerchantId{"shop"},
                         {"sandbox", "instant"},
                         {{"ship", shop_url + "/ship", {secret}}, {"points", shop_url + "/points", {secret}}}},
                        {MerchantId{"other"}, {"sandbox"}, {}}};
  shop_key = create_key("shop", "till");
  other_key = create_key("other", "till");
  start_service();
}

void HttpApi::start_service() {
  auto started = Service::start(loop, settings, "");
  ASSERT_TRUE(started) << started.error().detail;
  service = std::move(*started);
  sandbox->service().set_notify_url(fmt::format("http://127.0.0.1:{}/v1/notices/sandbox", service->port()));
}

void HttpApi::stop_service() {
  bool stopped = false;
  service->stop([&] { stopped = true; });
  until([&] { return stopped; });
  service.reset();
}

void HttpApi::restart_service() {
  stop_service();
  start_service();
}

std::string HttpApi::create_key(std::string const& merchant, std::string const& name) {
  auto const store = open_migrated_store(database_url);
  return *create_api_key(**store, MerchantId{merchant}, name);
}

void HttpApi::revoke_key(std::string const& merchant, std::string const& name) {
  auto const store = open_migrated_store(database_url);
  ASSERT_TRUE(revoke_api_key(**store, MerchantId{merchant}, name));
}

PendingPtr HttpApi::send_as(std::string const& key, std::string method, std::string target, std::string body,
                            HttpHeaders headers) {
  HttpCall call;
  call.method = method;
  call.url = fmt::format("http://127.0.0.1:{}{}", service->port(), target);
  call.headers = std::move(headers);
  if (!body.empty() && !find_header(call.headers, "Content-Type"))
    call.headers.push_back({"Content-Type", "application/json"});
  if (!key.empty()) call.headers.push_back({"Authorization", "Bearer " + key});
  call.body = std::move(body);
  call.total_timeout = 60s;
  call.answer_bytes_max = 1 << 20;
  auto const pending = std::make_shared<Pending>();
  client.send(std::move(call), [pending, method, target](HttpAnswer got) {
    EXPECT_EQ(got.delivery, Delivery::answered) << method << ' ' << target << ": " << got.error;
    pending->answer = {got.status, std::move(got.headers), std::move(got.body)};
    if (got.delivery == Delivery::answered) expect_described(method, target, pending->answer);
    pending->done = true;
  });
  return pending;
}

PendingPtr HttpApi::send(std::string method, std::string target, std::string body, HttpHeaders headers) {
  return send_as(shop_key, std::move(method), std::move(target), std::move(body), std::move(headers));
}

Answered HttpApi::await(PendingPtr const& pending) {
  until([&] { return pending->done; });
  return pending->answer;
}

Answered HttpApi::call(std::string method, std::string target, std::string body, HttpHeaders headers) {
  return await(send(std::move(method), std::move(target), std::move(body), std::move(headers)));
}

Answered HttpApi::call_as(std::string const& key, std::string method, std::string target, std::string body,
                          HttpHeaders headers) {
  return await(send_as(key, std::move(method), std::move(target), std::move(body), std::move(headers)));
}

Answered HttpApi::raw(std::string const& bytes) {
  bool done = false;
  std::string answer;
  // The socket blocks, so it plays the caller on a thread of its own.
  std::thread caller{[&] {
    RawSocket socket{service->port()};
    socket.send(bytes);
    answer = socket.read_answer();
    loop.post([&] { done = true; });
  }};
  until([&] { return done; });
  caller.join();
  Answered parsed = parse_answer(answer);
  auto const method_end = bytes.find(' ');
  std::string const target = bytes.substr(method_end + 1, bytes.find(' ', method_end + 1) - method_end - 1);
  expect_described(bytes.substr(0, method_end), target, parsed);
  return parsed;
}

Answered HttpApi::raw_payment(std::string const& header_lines, std::string const& body) {
  return raw(
      fmt::format("POST /v1/payments HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {}\r\n"
                  "Content-Type: application/json\r\n{}Content-Length: {}\r\n\r\n{}",
                  shop_key, header_lines, body.size(), body));
}

Answered HttpApi::register_order(std::string const& order, std::int64_t amount, std::string const& currency) {
  return call("PUT", "/v1/orders/" + order, json::serialize(json::object{{"amount", amount}, {"currency", currency}}));
}

PendingPtr HttpApi::begin_pay(std::string const& order, std::string const& key, std::string const& method,
                              std::string const& prefer) {
  json::object body{{"order_id", order}};
  if (!method.empty()) body["method"] = method;
  return send("POST", "/v1/payments", json::serialize(body), {{"Idempotency-Key", key}, {"Prefer", prefer}});
}

Answered HttpApi::pay(std::string const& order, std::string const& key, std::string const& method,
                      std::string const& prefer) {
  return await(begin_pay(order, key, method, prefer));
}

Answered HttpApi::await_state(std::string const& id, std::string const& state) {
  Answered now;
  until([&] { return (now = payment(id)).text("state") == state; });
  return now;
}

Answered HttpApi::bank(std::string method, std::string target, json::object const& body) {
  HttpCall call;
  call.method = std::move(method);
  call.url = sandbox->url() + std::move(target);
  if (!body.empty()) call.body = json::serialize(body);
  call.answer_bytes_max = 16 << 20;
  Pending pending;
  client.send(std::move(call), [&pending](HttpAnswer got) {
    pending.answer = {got.status, std::move(got.headers), std::move(got.body)};
    pending.done = true;
  });
  until([&] { return pending.done; });
  return pending.answer;
}

void HttpApi::fault(std::string_view bank_call, std::string_view name, std::int64_t delay_ms, std::int64_t times) {
  json::object body{{"call", bank_call}, {"fault", name}, {"times", times}};
  if (delay_ms >= 0) body["delay_ms"] = delay_ms;
  ASSERT_EQ(bank("POST", "/faults", body).status, 200) << name;
}

std::vector<int> HttpApi::notify(json::object const& notice) {
  Answered const answer = bank("POST", "/notices", notice);
  EXPECT_EQ(answer.status, 200) << answer.body;
  std::vector<int> statuses;
  for (auto const& one : answer.list("tries")) statuses.push_back(static_cast<int>(one.at("status").as_int64()));
  return statuses;
}

std::int64_t HttpApi::charged(std::string const& order) {
  json::object const all = ledger();
  auto const* of_order = all.at("by_order").as_object().if_contains(order);
  return of_order ? of_order->at("charged").as_int64() : 0;
}

std::int64_t HttpApi::bank_calls(std::string const& order, std::string_view bank_call) {
  std::int64_t count = 0;
  json::object const all = ledger();
  for (auto const& one : all.at("calls").as_array())
    count += one.at("order").as_string() == order && one.at("call").as_string() == bank_call;
  return count;
}

void HttpApi::until(std::function<bool()> const& condition) {
  auto const deadline = clock.monotonic() + 30s;
  while (!condition()) {
    if (clock.monotonic() > deadline) throw std::runtime_error("this test waits for something that never came");
    loop.after(2ms, [this] { loop.stop(); });
    loop.run();
  }
}

void HttpApi::pass(Millis time) {
  bool passed = false;
  loop.after(time, [&] { passed = true; });
  until([&] { return passed; });
}

std::size_t HttpApi::deliveries_of(std::string const& path) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(deliveries, [&](HttpRequest const& request) { return request.target == path; }));
}

}  // namespace payonce::test
