// The real service in the test's process: an event loop, a SQLite file, the sandbox bank, a shop that takes effects,
// and callers on real sockets. Every answer that a test sees is checked against openapi.json.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/service.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "sandbox/server.h"

namespace payonce::test {

namespace json = boost::json;
using namespace std::chrono_literals;

struct Answered {
  int status = 0;
  HttpHeaders headers;
  std::string body;

  std::string header(std::string_view name) const { return std::string{find_header(headers, name).value_or("")}; }
  json::object object() const { return json::parse(body).as_object(); }
  // A text field of the body; empty if it is absent.
  std::string text(std::string_view field) const;
  // A copy, so that a loop may run over the list of an answer that is gone.
  json::array list(std::string_view field) const { return object().at(field).as_array(); }
  // That of a problem.
  std::string code() const { return text("code"); }
  bool is_replay() const { return header("Idempotency-Replayed") == "true"; }
};
// An answer under way.
struct Pending {
  bool done = false;
  Answered answer;
};
using PendingPtr = std::shared_ptr<Pending>;

class HttpApi : public testing::Test {
 protected:
  HttpApi();
  ~HttpApi() override;
  void SetUp() override;

  // The service: gracefully stopped, and started again on the same file, perhaps with changed settings.
  void start_service();
  void stop_service();
  void restart_service();
  // A new API key of this merchant. While the service runs or not.
  std::string create_key(std::string const& merchant, std::string const& name);
  void revoke_key(std::string const& merchant, std::string const& name);

  // Calls with the shop's key, unless another one (or none: empty) is named.
  PendingPtr send(std::string method, std::string target, std::string body = {}, HttpHeaders headers = {});
  PendingPtr send_as(std::string const& key, std::string method, std::string target, std::string body = {},
                     HttpHeaders headers = {});
  Answered await(PendingPtr const& pending);
  Answered call(std::string method, std::string target, std::string body = {}, HttpHeaders headers = {});
  Answered call_as(std::string const& key, std::string method, std::string target, std::string body = {},
                   HttpHeaders headers = {});
  // These bytes, and the first answer to them.
  Answered raw(std::string const& bytes);
  // A request for a payment whose header lines behind the usual ones are these bytes.
  Answered raw_payment(std::string const& header_lines, std::string const& body);

  // What tests do most.
  Answered register_order(std::string const& order, std::int64_t amount = 1999, std::string const& currency = "USD");
  Answered pay(std::string const& order, std::string const& key, std::string const& method = {},
               std::string const& prefer = "wait=10");
  PendingPtr begin_pay(std::string const& order, std::string const& key, std::string const& method = {},
                       std::string const& prefer = "wait=10");
  Answered payment(std::string const& id) { return call("GET", "/v1/payments/" + id); }
  json::object order(std::string const& id) { return call("GET", "/v1/orders/" + id).object(); }
  json::array list_of(std::string const& order_id, std::string_view field) {
    return call("GET", "/v1/orders/" + order_id).list(field);
  }
  // Waits until the payment is in this state.
  Answered await_state(std::string const& id, std::string const& state);

  // The bank.
  void fault(std::string_view bank_call, std::string_view name, std::int64_t delay_ms = -1, std::int64_t times = 1);
  Answered bank(std::string method, std::string target, json::object const& body = {});
  // Sends one notice now; the statuses that its copies got.
  std::vector<int> notify(json::object const& notice);
  json::object ledger() { return bank("GET", "/ledger").object(); }
  std::int64_t charged(std::string const& order);
  std::int64_t bank_calls(std::string const& order, std::string_view bank_call = "create");

  // Runs the loop until the condition holds; fails the test if it never does.
  void until(std::function<bool()> const& condition);
  // Lets this much time pass.
  void pass(Millis time);
  std::size_t deliveries_of(std::string const& path) const;

  std::string const data_path;
  std::string const database_url;
  AsioLoop loop;
  SystemClock clock;
  SystemRandom random;
  CurlHttpClient client;
  Settings settings;
  SandboxOptions bank_options;
  std::unique_ptr<SandboxServer> sandbox;
  // The shop that takes effects: what came, and what it answers by path (200 if nothing is said).
  std::unique_ptr<HttpServer> shop;
  std::vector<HttpRequest> deliveries;
  std::map<std::string, int> shop_status;
  std::unique_ptr<Service> service;
  std::string shop_key;
  std::string other_key;
};

}  // namespace payonce::test
