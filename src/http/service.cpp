// Endpoints for machines: providers' notices, the interface's description, health and metrics.
#include "engine/receive_notice.h"
#include "http/assets.gen.h"
#include "http/handlers.h"

namespace payonce {

void post_notice(Api& api, ExchangePtr const& exchange) {
  receive_notice(api.engine(), exchange->segment(2), exchange->request,
                 [exchange](HttpResponse response) { exchange->respond(std::move(response)); });
}

void get_openapi(Api&, ExchangePtr const& exchange) {
  respond_json(*exchange, 200, std::string{assets::http::openapi_json});
}

void get_health(Api&, ExchangePtr const& exchange) { respond_json(*exchange, 200, R"({"status":"ok"})"); }

void get_ready(Api& api, ExchangePtr const& exchange) {
  if (api.is_draining())
    return respond_problem(*exchange, {ErrorCode::unavailable, "This node is shutting down; use another"});
  // Whether the database answers, asked in the cheapest way: proxies ask every second.
  auto answered = [exchange](Result<FoundAttemptPtr> const& found) {
    if (!found) return respond_problem(*exchange, found.error());
    respond_json(*exchange, 200, R"({"status":"ready"})");
  };
  api.engine().parts().reads.find_attempt(AttemptId{}, std::move(answered));
}

void get_metrics(Api& api, ExchangePtr const& exchange) {
  Engine::Parts const& parts = api.engine().parts();
  parts.providers.each_health(
      [&](std::string const& name, ProviderHealth const& health) { parts.metrics.provider_health(name, health); });
  HttpResponse response;
  response.headers = {{"Content-Type", "text/plain; version=0.0.4"}};
  response.body = parts.metrics.text();
  exchange->respond(std::move(response));
}

}  // namespace payonce
