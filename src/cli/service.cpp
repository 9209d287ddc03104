#include "cli/service.h"

#include <fmt/format.h>

#include "base/log.h"
#include "engine/engine.h"
#include "http/api.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"
#include "worker/workers.h"

namespace payonce {

namespace {

// How often a stopping service looks whether everything in flight has ended.
constexpr Millis settle_look{10};

HttpResponse render_error(int status, std::string_view reason) {
  ErrorCode const code = status == 413 || status == 431 || status == 414 ? ErrorCode::payload_too_large
                         : status == 503                                 ? ErrorCode::overloaded
                         : status == 500                                 ? ErrorCode::internal
                                                                         : ErrorCode::invalid_request;
  return problem_response(status, {code, std::string{reason}}, {});
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(std::string const& url) {
  std::string const scheme = url.substr(0, url.find(':'));
  if (scheme == "sqlite" && scheme != url) return open_sqlite(url.substr(scheme.size() + 1));
  if (scheme == "postgresql" || scheme == "postgres") return open_postgres(url);
  // The rest of the url may hold a password.
  return fail(
      ErrorCode::invalid_request,
      fmt::format("database url \"{}:…\": write sqlite:PATH or postgresql://USER@HOST/DATABASE", scheme.substr(0, 32)));
}

// In the order in which they are built; torn down in the reverse one.
struct Service::Parts {
  Parts(AsioLoop& loop_in, Settings settings_in, std::string crash_at)
      : loop(loop_in), settings(std::move(settings_in)), fault_points(std::move(crash_at)) {}

  AsioLoop& loop;
  Settings const settings;
  std::vector<Merchant> const nobody;
  FaultPoints const fault_points;
  SystemClock clock;
  SystemRandom random;
  Metrics metrics;
  std::unique_ptr<Store> store;
  std::unique_ptr<CurlHttpClient> provider_http;
  // Deliveries have a client of their own, so that slow receivers never hold up a provider call.
  std::unique_ptr<CurlHttpClient> delivery_http;
  Providers providers;
  std::unique_ptr<ConfiguredTerms> terms;
  std::unique_ptr<ReadLane> reads;
  std::unique_ptr<Committer> committer;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Workers> workers;
  std::unique_ptr<Api> api;
  std::unique_ptr<HttpServer> server;

  Result<void> open_database() {
    auto opened = open_store(settings.database.url);
    if (!opened) return std::unexpected(opened.error());
    store = std::move(*opened);
    return store->migrate();
  }

  Result<void> build_engine() {
    provider_http = std::make_unique<CurlHttpClient>(loop);
    delivery_http = std::make_unique<CurlHttpClient>(loop);
    auto made = Providers::make(settings.providers, {*provider_http, loop, clock, random});
    if (!made) return std::unexpected(made.error());
    providers = std::move(*made);
    terms = std::make_unique<ConfiguredTerms>(settings.merchants, providers);
    reads = std::make_unique<ReadLane>(*store, loop);
    committer = std::make_unique<Committer>(*store, *terms, clock, loop, nullptr, [this](std::string_view provider) {
      return providers.is_crowded(provider);
    });
    engine = std::make_unique<Engine>(
        Engine::Parts{loop, clock, random, *committer, *reads, providers, metrics, fault_points});
    workers =
        std::make_unique<Workers>(*engine, *delivery_http, settings.worker.deliveries ? settings.merchants : nobody);
    return {};
  }

  Result<void> listen() {
    api = std::make_unique<Api>(*engine,
                                ApiOptions{settings.log.requests, settings.server.answer_patience, settings.checkout});
    HttpServerOptions options;
    options.address = settings.server.address;
    options.port = settings.server.port;
    options.body_limit = Api::body_limit;
    options.render_error = render_error;
    auto listening = HttpServer::listen(loop, std::move(options), [this](HttpRequest request, Respond respond) {
      api->handle(std::move(request), std::move(respond));
    });
    if (!listening) return std::unexpected(listening.error());
    server = std::move(*listening);
    return {};
  }

  void when_settled(std::chrono::nanoseconds deadline, std::shared_ptr<Task> const& stopped) {
    bool const is_settled = engine->under_way() == 0 && !workers->is_busy();
    if (!is_settled && clock.monotonic() < deadline) {
      loop.after(settle_look, [this, deadline, stopped] { when_settled(deadline, stopped); });
      return;
    }
    if (!is_settled)
      log_warn("stopping although {} calls are under way; they are found again at the next start", engine->under_way());
    committer->stop();
    reads->stop();
    (*stopped)();
  }
};

Service::Service(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Service::~Service() = default;

Result<std::unique_ptr<Service>> Service::start(AsioLoop& loop, Settings settings, std::string crash_at) {
  auto parts = std::make_unique<Parts>(loop, std::move(settings), std::move(crash_at));
  if (auto const done = parts->open_database(); !done) return std::unexpected(done.error());
  if (auto const done = parts->build_engine(); !done) return std::unexpected(done.error());
  if (auto const done = parts->listen(); !done) return std::unexpected(done.error());
  parts->workers->start();
  return std::unique_ptr<Service>{new Service{std::move(parts)}};
}

std::uint16_t Service::port() const { return parts_->server->port(); }

void Service::stop(Task stopped) {
  Parts& parts = *parts_;
  parts.api->begin_drain();
  parts.engine->begin_drain();
  parts.workers->stop();
  auto const deadline = parts.clock.monotonic() + parts.settings.server.shutdown_deadline;
  auto const shared = std::make_shared<Task>(std::move(stopped));
  parts.server->drain(parts.settings.server.shutdown_deadline,
                      [&parts, deadline, shared] { parts.when_settled(deadline, shared); });
}

}  // namespace payonce
