// A server in its own thread, and requests as text, for tests that play the peer.
#pragma once

#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "net/http_server.h"
#include "net/raw_socket_test.h"

namespace payonce {

// A server in its own thread, so that a test can play the peer with blocking calls.
class ServerThread {
 public:
  // Runs `work` on the loop and gives its result.
  template <class Work>
  auto on_loop(Work work) {
    std::packaged_task<decltype(work())()> task(std::move(work));
    auto result = task.get_future();
    loop.post([&] { task(); });
    return result.get();
  }

  explicit ServerThread(HttpHandler handler, HttpServerOptions options = {}) {
    auto server = HttpServer::listen(loop, std::move(options), std::move(handler));
    if (!server) throw std::runtime_error(server.error().detail);
    server_ = std::move(*server);
    thread_ = std::thread([this] { loop.run(); });
  }
  ~ServerThread() {
    on_loop([&] { server_.reset(); });
    loop.stop();
    thread_.join();
  }

  RawSocket connect() const { return RawSocket(server_->port()); }
  std::uint16_t port() const { return server_->port(); }
  HttpServer& server() { return *server_; }

  AsioLoop loop;

 private:
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

// Answers with what it was asked.
inline void echo(HttpRequest request, Respond respond) {
  respond({.body = request.method + " " + request.target + " " + request.body});
}

inline std::string get(std::string_view target, std::string_view more = "") {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: test\r\n" + std::string(more) + "\r\n";
}

inline std::string post(std::string_view target, std::string_view body) {
  return "POST " + std::string(target) + " HTTP/1.1\r\nHost: test\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

}  // namespace payonce
