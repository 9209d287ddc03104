// The sandbox bank on a socket, in this process: for `payonce sandbox` and for tests over real HTTP.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "base/random.h"
#include "net/asio_loop.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "sandbox/options.h"
#include "sandbox/service.h"

namespace payonce {

class SandboxServer {
 public:
  struct Ports {
    AsioLoop& loop;
    Clock const& clock;
    Random& random;
    HttpClient& client;  // carries notices
    // What the fault `restart` does; by default the process kills itself without a chance to clean up.
    std::function<void()> kill_process = kill_this_process;
  };

  // Reads the journal, binds, serves from now on. Errors as of Journal::open and HttpServer::listen. All on the loop
  // thread, or while the loop does not run; the ports must outlive the server.
  static Result<std::unique_ptr<SandboxServer>> start(SandboxOptions options, Ports ports);

  std::uint16_t port() const { return http_->port(); }
  // Without a slash at its end.
  std::string const& url() const { return url_; }
  sandbox::SandboxService& service() { return *service_; }

  // Answers what is in flight, then calls back.
  void drain(Millis deadline, Task on_drained) { http_->drain(deadline, std::move(on_drained)); }

  static void kill_this_process();

 private:
  SandboxServer() = default;

  std::string url_;
  std::unique_ptr<sandbox::SandboxService> service_;
  std::unique_ptr<HttpServer> http_;  // last: it is cut before the service goes
};

}  // namespace payonce
