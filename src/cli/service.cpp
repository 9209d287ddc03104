#include "cli/service.h"

#include "cli/engine_room.h"
#include "http/api.h"
#include "net/http_server.h"
#include "worker/workers.h"

namespace payonce {

namespace {

HttpResponse render_error(int status, std::string_view reason) {
  ErrorCode const code = status == 413 || status == 431 || status == 414 ? ErrorCode::payload_too_large
                         : status == 503                                 ? ErrorCode::overloaded
                         : status == 500                                 ? ErrorCode::internal
                                                                         : ErrorCode::invalid_request;
  return problem_response(status, {code, std::string{reason}}, {});
}

}  // namespace

// In the order in which they are built; torn down in the reverse one.
struct Service::Parts {
  Parts(AsioLoop& loop, Settings settings, std::string crash_at)
      : room(loop, std::move(settings), std::move(crash_at)) {}

  EngineRoom room;
  std::vector<Merchant> const nobody;
  // Deliveries have a client of their own, so that slow receivers never hold up a provider call.
  std::unique_ptr<CurlHttpClient> delivery_http;
  std::unique_ptr<Workers> workers;
  std::unique_ptr<Api> api;
  std::unique_ptr<HttpServer> server;

  Result<void> build() {
    if (auto const built = room.build(); !built) return built;
    Settings const& settings = room.settings;
    // Room for several targets at one host, each with all that may be in flight to it (worker/workers.cpp).
    delivery_http = std::make_unique<CurlHttpClient>(room.loop, CurlHttpClient::Options{.calls_per_host_max = 512});
    workers = std::make_unique<Workers>(*room.engine, *delivery_http, settings.merchants,
                                        settings.worker.deliveries ? settings.merchants : nobody);
    api = std::make_unique<Api>(*room.engine,
                                ApiOptions{settings.log.requests, settings.server.answer_patience, settings.checkout});
    return listen();
  }

  Result<void> listen() {
    HttpServerOptions options;
    options.address = room.settings.server.address;
    options.port = room.settings.server.port;
    options.body_limit = Api::body_limit;
    options.render_error = render_error;
    auto listening = HttpServer::listen(room.loop, std::move(options), [this](HttpRequest request, Respond respond) {
      api->handle(std::move(request), std::move(respond));
    });
    if (!listening) return std::unexpected(listening.error());
    server = std::move(*listening);
    return {};
  }
};

Service::Service(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Service::~Service() = default;

Result<std::unique_ptr<Service>> Service::start(AsioLoop& loop, Settings settings, std::string crash_at) {
  auto parts = std::make_unique<Parts>(loop, std::move(settings), std::move(crash_at));
  if (auto const built = parts->build(); !built) return std::unexpected(built.error());
  parts->workers->start();
  return std::unique_ptr<Service>{new Service{std::move(parts)}};
}

std::uint16_t Service::port() const { return parts_->server->port(); }

void Service::stop(Task stopped) {
  Parts& parts = *parts_;
  Millis const patience = parts.room.settings.server.shutdown_deadline;
  parts.api->begin_drain();
  parts.room.engine->begin_drain();
  parts.workers->stop();
  auto const deadline = parts.room.clock.monotonic() + patience;
  auto const shared = std::make_shared<Task>(std::move(stopped));
  parts.server->drain(patience, [&parts, deadline, shared] {
    Millis const left = std::chrono::duration_cast<Millis>(deadline - parts.room.clock.monotonic());
    parts.room.stop_when_settled(left, [&parts] { return parts.workers->is_busy(); }, [shared] { (*shared)(); });
  });
}

}  // namespace payonce
