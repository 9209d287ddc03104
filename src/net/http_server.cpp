#include "net/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <utility>
#include <vector>

#include "base/log.h"
#include "net/http_session.h"

namespace payonce {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr Millis accept_pause{100};        // when the process has no file descriptor left
constexpr std::size_t refusals_max = 256;  // connections beyond the limit that still get their 503

// Often enough that the shortest time-out is kept to within a quarter.
Millis sweep_interval(HttpServerOptions const& options) {
  Millis const shortest = std::min({options.header_timeout, options.body_timeout, options.idle_timeout});
  return std::clamp(shortest / 4, Millis{5}, Millis{500});
}

std::string peer_text(tcp::endpoint const& peer) {
  auto const address = peer.address();
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
  return address.to_string();
}

std::unexpected<Error> bind_failed(HttpServerOptions const& options, error_code const& error) {
  auto const place = fmt::format("{} port {}", options.address, options.port);
  if (error == asio::error::address_in_use)
    return fail(
        ErrorCode::unavailable,
        fmt::format("can't listen on {}: another program has this port; stop it or choose another port", place));
  if (error == asio::error::access_denied)
    return fail(ErrorCode::unavailable,
                fmt::format("can't listen on {}: not permitted; choose a port from 1024 on", place));
  return fail(ErrorCode::unavailable,
              fmt::format("can't listen on {}: {}; choose an address of this machine", place, error.message()));
}

}  // namespace

HttpResponse HttpServerOptions::plain_error(int status, std::string_view reason) {
  return {.status = status, .headers = {{"Content-Type", "text/plain"}}, .body = std::string(reason) + "\n"};
}

// Shared with the handlers that wait inside Asio; those find it closed after the server is gone.
struct HttpServer::Core : std::enable_shared_from_this<Core> {
  using Acceptor = asio::basic_socket_acceptor<tcp, asio::io_context::executor_type>;

  HttpSessionContext context;
  Acceptor acceptor;
  Millis const sweep_every;
  std::uint16_t port = 0;
  std::optional<Loop::TimerId> sweep_timer;
  std::optional<Loop::TimerId> drain_timer;
  Task on_drained;
  bool closed = false;

  Core(AsioLoop& loop, HttpServerOptions options, HttpHandler handler)
      : context(loop, std::move(options), std::move(handler)),
        acceptor(loop.context()),
        sweep_every(sweep_interval(context.options)) {
    context.on_session_end = [this] { finish_drain(); };
  }

  error_code open(tcp::endpoint const& at) {
    error_code error;
    acceptor.open(at.protocol(), error);
    if (error) return error;
    // A restart must not wait for the last process' connections to time out.
    acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (at.protocol() == tcp::v6()) acceptor.set_option(asio::ip::v6_only{false}, error);
    acceptor.bind(at, error);
    if (error) return error;
    acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) return error;
    port = acceptor.local_endpoint().port();
    return {};
  }

  void accept() {
    auto on_accept = [self = shared_from_this()](error_code const& error, HttpSession::Socket socket) {
      self->on_accept(error, std::move(socket));
    };
    acceptor.async_accept(context.loop.context().get_executor(), std::move(on_accept));
  }

  void on_accept(error_code const& error, HttpSession::Socket socket) {
    if (closed || !acceptor.is_open()) return;
    if (error) {
      if (error != asio::error::connection_aborted) {
        log_warn("can't accept a connection on port {}: {}; trying again in {} ms", port, error.message(),
                 accept_pause.count());
        context.loop.after(accept_pause, [self = shared_from_this()] {
          if (!self->closed && self->acceptor.is_open()) self->accept();
        });
        return;
      }
      return accept();
    }
    admit(std::move(socket));
    if (acceptor.is_open()) accept();
  }

  void admit(HttpSession::Socket socket) {
    error_code error;
    auto const peer = socket.remote_endpoint(error);
    if (error) return;  // it has gone again
    std::size_t const open = context.sessions.size();
    if (open >= context.options.connections_max + refusals_max) return;
    auto const session = std::make_shared<HttpSession>(context, std::move(socket), peer_text(peer));
    context.sessions.emplace(session.get(), session);
    if (open < context.options.connections_max)
      session->start();
    else
      session->refuse_connection();
  }

  // Sessions may end while we walk, so we walk over a copy.
  template <class Visit>
  void for_each_session(Visit visit) {
    std::vector<std::shared_ptr<HttpSession>> sessions;
    sessions.reserve(context.sessions.size());
    for (auto const& [_, session] : context.sessions) sessions.push_back(session);
    for (auto const& session : sessions) visit(*session);
  }

  void sweep_later() {
    sweep_timer = context.loop.after(sweep_every, [self = shared_from_this()] {
      self->sweep_timer.reset();
      self->context.now += self->sweep_every;
      self->for_each_session([](HttpSession& session) { session.check_deadline(); });
      if (!self->closed) self->sweep_later();
    });
  }

  void drain(Millis deadline, Task done) {
    on_drained = std::move(done);
    context.draining = true;
    error_code ignored;
    acceptor.close(ignored);
    drain_timer = context.loop.after(deadline, [self = shared_from_this()] {
      self->drain_timer.reset();
      log_warn("shutting down: {} connections were not done in time and are cut", self->context.sessions.size());
      self->for_each_session([](HttpSession& session) { session.close(); });
    });
    for_each_session([](HttpSession& session) { session.close_if_idle(); });
    finish_drain();
  }

  void finish_drain() {
    if (!on_drained || !context.sessions.empty()) return;
    if (drain_timer) context.loop.cancel(*std::exchange(drain_timer, std::nullopt));
    // Posted, because we may be in the middle of a session or of the caller's drain().
    context.loop.post(std::exchange(on_drained, nullptr));
  }

  void close() {
    closed = true;
    on_drained = nullptr;
    error_code ignored;
    acceptor.close(ignored);
    if (sweep_timer) context.loop.cancel(*sweep_timer);
    if (drain_timer) context.loop.cancel(*drain_timer);
    for_each_session([](HttpSession& session) { session.close(); });
  }
};

HttpServer::HttpServer(std::shared_ptr<Core> core) : core_(std::move(core)) {}
HttpServer::~HttpServer() { core_->close(); }

Result<std::unique_ptr<HttpServer>> HttpServer::listen(AsioLoop& loop, HttpServerOptions options, HttpHandler handler) {
  error_code error;
  auto const address = asio::ip::make_address(options.address, error);
  if (error)
    return fail(ErrorCode::invalid_request,
                fmt::format("\"{}\" is not an IP address to listen on; write one like 127.0.0.1, 0.0.0.0 or ::",
                            options.address),
                "address");
  auto const core = std::make_shared<Core>(loop, std::move(options), std::move(handler));
  error = core->open({address, core->context.options.port});
  if (error) return bind_failed(core->context.options, error);
  core->accept();
  core->sweep_later();
  return std::unique_ptr<HttpServer>(new HttpServer(core));
}

std::uint16_t HttpServer::port() const { return core_->port; }
std::size_t HttpServer::connections() const { return core_->context.sessions.size(); }
void HttpServer::drain(Millis deadline, Task on_drained) { core_->drain(deadline, std::move(on_drained)); }

}  // namespace payonce
