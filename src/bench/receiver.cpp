#include "bench/receiver.h"

#include <fmt/format.h>

namespace payonce::bench {

Result<std::unique_ptr<Receiver>> Receiver::start() {
  std::unique_ptr<Receiver> receiver{new Receiver};
  auto server =
      HttpServer::listen(receiver->loop_, {}, [&taken = receiver->taken_](HttpRequest const&, Respond respond) {
        ++taken;
        respond({.status = 200});
      });
  if (!server) return std::unexpected(server.error());
  receiver->server_ = std::move(*server);
  receiver->url_ = fmt::format("http://127.0.0.1:{}/", receiver->server_->port());
  receiver->thread_ = std::thread{[&loop = receiver->loop_] { loop.run(); }};
  return receiver;
}

Receiver::~Receiver() {
  if (!thread_.joinable()) return;
  loop_.stop();
  thread_.join();
}

}  // namespace payonce::bench
