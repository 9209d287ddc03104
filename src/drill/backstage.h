// The drill's own end of the sockets: one thread with a loop on which its servers and clients live.
// Scenarios run on their own thread and block; these calls bring the two together.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/asio_loop.h"
#include "net/http_client.h"
#include "net/http_server.h"

namespace payonce::drill {

class Backstage {
 public:
  using Pending = std::future<HttpAnswer>;

  Backstage();
  // Cuts everything that is still open.
  ~Backstage();
  Backstage(Backstage const&) = delete;
  Backstage& operator=(Backstage const&) = delete;

  // Listens on a free port of 127.0.0.1 until the end; returns the address as http://…
  Result<std::string> listen(HttpHandler handler);

  HttpAnswer call(HttpCall call) { return send(std::move(call)).get(); }
  Pending send(HttpCall call);
  // All at once: they are handed to the network in one go.
  std::vector<Pending> send_all(std::vector<HttpCall> calls);
  // Sends from a device of its own, which is unplugged when `wait_until_time` returns: its connection is cut under the
  // request.
  void send_and_unplug(HttpCall call, std::function<void()> const& wait_until_time);
  // For handlers, which run on the loop.
  HttpClient& client() { return *client_; }

 private:
  void run_on_loop(Task task);

  AsioLoop loop_;
  std::unique_ptr<CurlHttpClient> client_;
  std::vector<std::unique_ptr<HttpServer>> servers_;
  std::thread thread_;
};

}  // namespace payonce::drill
