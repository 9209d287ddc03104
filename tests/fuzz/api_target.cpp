// HTTP requests, as a caller with a key would send them, through parser, routes and handlers into the books.
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <memory>

#include "base/log.h"
#include "base/random.h"
#include "cli/key_store.h"
#include "engine/engine.h"
#include "engine/settings.h"
#include "fuzz/target.h"
#include "http/api.h"
#include "net/http_wire.h"
#include "provider/instant/instant_provider.h"
#include "store/turns.h"
#include "support/manual_loop.h"
#include "support/rules_world.h"

namespace payonce::test {

namespace {

class TurningLoop final : public ManualLoop, public Turns {
 public:
  void give(Task turn) override { post(std::move(turn)); }
};

// Time passes only while a request waits.
class LoopClock final : public Clock {
 public:
  Time now() const override { return test_start + passed; }
  std::chrono::nanoseconds monotonic() const override { return passed; }
  Millis passed{0};
};

// The service without sockets and threads, on books of its own, with a provider that charges at once.
class Till {
 public:
  Till() {
    if (auto const migrated = store_->migrate(); !migrated) throw std::runtime_error(migrated.error().detail);
    key_ = *create_api_key(*store_, MerchantId{"shop"}, "fuzz");
    ProviderSettings settings;
    settings.name = settings.kind = "instant";
    providers_.add(make_instant_provider(settings, loop_));
  }
  ~Till() {
    committer_.stop();
    reads_.stop();
    for (auto const* const suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + suffix);
  }

  // What a request is answered with, or nothing while it is none.
  std::optional<HttpResponse> hear(std::string_view bytes) {
    auto request = read(bytes);
    if (!request) return std::nullopt;
    request->headers.push_back({"Authorization", "Bearer " + key_});
    std::optional<HttpResponse> answer;
    int answers = 0;
    // It complains of what is sent to it on purpose.
    LogLevel const level = log_level();
    set_log_level(LogLevel::off);
    api_.handle(std::move(*request), [&](HttpResponse response) {
      ++answers;
      answer = std::move(response);
    });
    for (loop_.run_posted(); answers == 0 && clock_.passed < wait_max; clock_.passed += 1s) loop_.pass(1s);
    set_log_level(level);
    promise(answers == 1, "a request is answered, once");
    return answer;
  }

 private:
  static constexpr Millis wait_max{1'000'000'000'000};

  static std::optional<HttpRequest> read(std::string_view bytes) {
    std::function<std::size_t(std::string_view)> const body_bytes = Api::body_limit;
    HttpRequestLimits const limits{.header_bytes = 8192, .target_bytes = 2048, .body_bytes = body_bytes};
    HttpRequestParser parser{limits};
    parser.eager(true);
    boost::beast::error_code error;
    std::size_t used = 0;
    while (!error && !parser.is_done() && used < bytes.size()) {
      std::size_t const taken = parser.put(boost::asio::const_buffer(bytes.data() + used, bytes.size() - used), error);
      if (taken == 0) break;
      used += taken;
    }
    if (error || !parser.is_done()) return std::nullopt;
    return parser.request();
  }

  std::string const path_ =
      (std::filesystem::temp_directory_path() / ("payonce-fuzz-" + std::to_string(::getpid()) + ".db")).string();
  std::unique_ptr<Store> const store_ = *open_migrated_store("sqlite:" + path_);
  std::string key_;
  TurningLoop loop_;
  LoopClock clock_;
  SeededRandom random_{1};
  std::vector<Merchant> const merchants_{{.id = MerchantId{"shop"}, .providers = {"instant"}, .effects = {}}};
  Providers providers_;
  ConfiguredTerms const terms_{merchants_, providers_};
  FaultPoints const fault_points_;
  Metrics metrics_;
  ReadLane reads_{*store_, loop_, &loop_};
  Committer committer_{*store_, terms_, clock_, loop_, &loop_};
  Engine engine_{{loop_, clock_, random_, committer_, reads_, providers_, metrics_, fault_points_}};
  Api api_{engine_, {.logs_requests = false}};
};

void api_request(std::string_view bytes) {
  static Till till;
  auto const answer = till.hear(bytes);
  if (!answer) return;
  promise(answer->status >= 200 && answer->status < 500, "no request makes the service fail");
  auto const type = find_header(answer->headers, "Content-Type").value_or("");
  if (!type.contains("json")) return;
  boost::json::error_code error;
  boost::json::value const body = boost::json::parse(answer->body, error);
  promise(!error, "what is called JSON is JSON");
  if (answer->status >= 400) promise(body.is_object() && body.get_object().contains("code"), "a refusal has a code");
}

std::string request(std::string_view line, std::string_view body = {}, std::string_view headers = {}) {
  std::string text = std::string{line} + " HTTP/1.1\r\nHost: shop\r\n" + std::string{headers};
  if (!body.empty())
    text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + std::string{body};
}

}  // namespace

FuzzTarget api_target() {
  std::string const key = "Idempotency-Key: k-1\r\nPrefer: wait=2\r\n";
  return {
      "api_request",
      api_request,
      {request("PUT /v1/orders/A1", R"({"amount":1999,"currency":"USD","metadata":{"a":"b"}})"),
       request("GET /v1/orders/A1"), request("POST /v1/payments", R"({"order_id":"A1"})", key),
       request("POST /v1/payments",
               R"({"order_id":"A2","amount":500,"currency":"USD","register_order":true,"replace":true})",
               "Idempotency-Key: \"k-2\"\r\nPrefer: wait=1, handling=strict\r\n"),
       request("POST /v1/payments/pay_1/refunds", R"({"amount":1,"reason":"line 1"})", "Idempotency-Key: k-3\r\n"),
       request("POST /v1/payments/pay_1/captures", R"({"amount":1,"final":false})", "Idempotency-Key: k-4\r\n"),
       request("POST /v1/payments/pay_1/cancel"),
       request("POST /v1/payments/pay_1/resolve", R"({"outcome":"declined","reason":"by phone"})"),
       request("POST /v1/orders/A1/close"),
       request("POST /v1/orders/A1/offline-payments",
               R"({"amount":1999,"currency":"USD","reason":"counter","document":"R-7"})", "Idempotency-Key: k-5\r\n"),
       request("POST /v1/orders/A1/checkout-tokens", R"({"return_url":"https://shop.example/back"})"),
       request("GET /v1/events?after=0&limit=10"), request("GET /v1/payments/pay_1?wait=1"),
       request("GET /v1/deliveries"), request("POST /v1/notices/instant", R"({"id":"evt_1"})"),
       request("GET /checkout/token/state?wait=1&seen=1"), request("GET /checkout/return?a=b"),
       request("GET /openapi.json"), request("GET /metrics")},
      2'000};
}

}  // namespace payonce::test
