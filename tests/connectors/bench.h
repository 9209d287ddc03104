// A connector on its real client, in front of a server on this machine that answers by a script.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "connectors/specimen.h"
#include "net/asio_loop.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "provider/registry.h"
#include "support/rules_world.h"

namespace payonce::test {

// Wall time stands still; what time-outs are measured by does not.
class StillClock final : public Clock {
 public:
  Time now() const override { return at; }
  std::chrono::nanoseconds monotonic() const override { return system_.monotonic(); }
  Time at = test_start;

 private:
  SystemClock const system_;
};

class ConnectorBench {
 public:
  explicit ConnectorBench(
      Specimen const& specimen, std::function<void(ProviderSettings&)> const& change = [](ProviderSettings&) {});

  // The kinds of calls that it offers.
  std::vector<CallKind> calls() const;
  // A call about attempt 1 (or refund 1 or capture 1 of it), as the rules would ask for it: its request written and
  // stored.
  ProviderCall call_of(CallKind kind) const;
  // Makes the call and waits for what it means.
  Answer make(ProviderCall const& call);

  Provider& provider() const { return *providers_.find("it"); }
  ProviderHealth health() const;

  // The answers to come, in their order. `silent` ones never come; beyond the last the connection is reset.
  struct Reply {
    HttpResponse response = {};
    bool is_silent = false;
  };
  std::deque<Reply> script;
  std::vector<HttpRequest> requests;  // without those that only prepare a call
  StillClock clock;

 private:
  void answer(HttpRequest request, Respond respond);

  Specimen const& specimen_;
  AsioLoop loop_;
  SeededRandom random_{1};
  std::optional<ProviderCall> under_way_;
  std::vector<Respond> held_;
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<CurlHttpClient> http_;
  Providers providers_;
};

}  // namespace payonce::test
