#include "connectors/bench.h"

#include <cstdlib>
#include <stdexcept>

#include "connectors/specimen_call.h"

namespace payonce::test {

ConnectorBench::ConnectorBench(Specimen const& specimen, std::function<void(ProviderSettings&)> const& change)
    : specimen_(specimen) {
  ::setenv("no_proxy", "127.0.0.1", 1);
  auto server = HttpServer::listen(
      loop_, {}, [this](HttpRequest request, Respond respond) { answer(std::move(request), std::move(respond)); });
  if (!server) throw std::runtime_error(server.error().detail);
  server_ = std::move(*server);
  http_ = std::make_unique<CurlHttpClient>(loop_);
  ProviderSettings settings = specimen_settings(specimen, "http://127.0.0.1:" + std::to_string(server_->port()));
  change(settings);
  auto made = Providers::make({settings}, {*http_, loop_, clock, random_});
  if (!made) throw std::runtime_error(made.error().detail);
  providers_ = std::move(*made);
}

void ConnectorBench::answer(HttpRequest request, Respond respond) {
  if (auto prepared = specimen_.aside(request, *under_way_)) return respond(std::move(*prepared));
  requests.push_back(std::move(request));
  Reply reply{.response = {.drop = true}};
  if (!script.empty()) {
    reply = std::move(script.front());
    script.pop_front();
  }
  if (reply.is_silent) return held_.push_back(std::move(respond));
  respond(std::move(reply.response));
}

std::vector<CallKind> ConnectorBench::calls() const {
  using enum CallKind;
  std::vector<CallKind> offered{create, query, close, refund, query_refund};
  if (provider().terms().captures_max > 0) offered.insert(offered.end(), {capture, query_capture});
  return offered;
}

ProviderCall ConnectorBench::call_of(CallKind kind) const {
  return specimen_call(specimen_, provider().terms(), kind, clock.now());
}

Answer ConnectorBench::make(ProviderCall const& call) {
  under_way_ = call;
  std::optional<Answer> answer;
  auto const too_late = loop_.after(20s, [this] { loop_.stop(); });
  provider().call(call, [&](Answer said) {
    answer = std::move(said);
    loop_.stop();
  });
  loop_.run();
  loop_.cancel(too_late);
  if (!answer) throw std::runtime_error("the connector never answered");
  return *answer;
}

ProviderHealth ConnectorBench::health() const {
  ProviderHealth found;
  providers_.each_health([&](std::string const&, ProviderHealth const& health) { found = health; });
  return found;
}

}  // namespace payonce::test
