// An HTTP/1.1 server on an AsioLoop: connections, limits, time-outs and shutdown. Not for: routes or what answers mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/limits.h"
#include "net/asio_loop.h"
#include "net/http_message.h"

namespace payonce {

struct HttpServerOptions {
  std::string address = "127.0.0.1";  // an IPv4 or IPv6 address; "::" is every interface, both families
  std::uint16_t port = 0;             // 0: the system picks a free one

  std::size_t connections_max = limits::connections;    // beyond: 503 and close
  std::size_t header_bytes_max = limits::header_bytes;  // beyond: 431
  std::size_t target_bytes_max = limits::target_bytes;  // beyond: 414
  // The most a body sent to this target may have; beyond: 413, before the handler sees anything.
  std::function<std::size_t(std::string_view target)> body_limit = [](std::string_view) { return limits::body_bytes; };

  // Time-outs are checked by one coarse sweep: they strike up to half a second late, never early.
  Millis header_timeout = limits::header_read_timeout;  // from a request's first byte; then 408
  Millis body_timeout = limits::body_read_timeout;      // from the end of the header; then 408
  Millis idle_timeout = limits::idle_timeout;  // between requests, and for a peer that does not take its answer

  // The answer to a request that reaches no handler (400, 408, 413, 414, 417, 431, 500, 503). `reason` is a sentence
  // for the developer on the other side.
  std::function<HttpResponse(int status, std::string_view reason)> render_error = plain_error;

  static HttpResponse plain_error(int status, std::string_view reason);
};

// All on the loop thread. Requests of one connection are handled one after the other, so pipelined ones are answered
// in order.
class HttpServer {
 public:
  // Binds and accepts from now on. unavailable if the port is taken or may not be bound, invalid_request if the
  // address is none; both say what to do.
  static Result<std::unique_ptr<HttpServer>> listen(AsioLoop& loop, HttpServerOptions options, HttpHandler handler);

  // Cuts every connection. A Respond that is still held does nothing from then on. Not from inside a handler.
  ~HttpServer();
  HttpServer(HttpServer const&) = delete;
  HttpServer& operator=(HttpServer const&) = delete;

  std::uint16_t port() const;
  std::size_t connections() const;

  // Stops accepting and closes idle connections; requests that began are answered with `Connection: close`. Calls
  // `on_drained` once no connection is left; what is still there after `deadline` is cut. Call once.
  void drain(Millis deadline, Task on_drained);

 private:
  struct Core;
  explicit HttpServer(std::shared_ptr<Core> core);
  std::shared_ptr<Core> core_;
};

}  // namespace payonce
