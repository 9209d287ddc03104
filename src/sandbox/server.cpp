#include "sandbox/server.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <utility>

namespace payonce {

namespace {

// An address that a browser on this machine can open.
std::string url_of(std::string const& address, std::uint16_t port) {
  if (address == "0.0.0.0" || address == "::") return fmt::format("http://127.0.0.1:{}", port);
  bool const ipv6 = address.find(':') != std::string::npos;
  return ipv6 ? fmt::format("http://[{}]:{}", address, port) : fmt::format("http://{}:{}", address, port);
}

}  // namespace

Result<std::unique_ptr<SandboxServer>> SandboxServer::start(SandboxOptions options, Ports ports) {
  std::unique_ptr<SandboxServer> server{new SandboxServer};
  auto service = sandbox::SandboxService::open(options, {.loop = ports.loop,
                                                         .clock = ports.clock,
                                                         .random = ports.random,
                                                         .client = ports.client,
                                                         .kill_process = std::move(ports.kill_process)});
  if (!service) return std::unexpected(service.error());
  server->service_ = std::move(*service);

  HttpServerOptions http;
  http.address = options.address;
  http.port = options.port;
  auto handler = [service = server->service_.get()](HttpRequest request, Respond respond) {
    service->handle(std::move(request), std::move(respond));
  };
  auto listening = HttpServer::listen(ports.loop, std::move(http), std::move(handler));
  if (!listening) return std::unexpected(listening.error());
  server->http_ = std::move(*listening);
  server->url_ = url_of(options.address, server->http_->port());
  server->service_->set_base_url(server->url_);
  server->service_->start();
  return server;
}

void SandboxServer::kill_this_process() { ::kill(::getpid(), SIGKILL); }

}  // namespace payonce
