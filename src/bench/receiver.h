// A shop's endpoint that takes every effect at once and counts them, on a thread of its own.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "net/asio_loop.h"
#include "net/http_server.h"

namespace payonce::bench {

class Receiver {
 public:
  static Result<std::unique_ptr<Receiver>> start();
  ~Receiver();

  std::string const& url() const { return url_; }
  std::int64_t taken() const { return taken_; }

 private:
  Receiver() = default;

  std::atomic<std::int64_t> taken_ = 0;
  AsioLoop loop_;
  std::unique_ptr<HttpServer> server_;
  std::string url_;
  std::thread thread_;
};

}  // namespace payonce::bench
