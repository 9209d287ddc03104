#include "drill/backstage.h"

#include <fmt/format.h>

#include <optional>

namespace payonce::drill {

namespace {

HttpClient::Done keep_in(std::shared_ptr<std::promise<HttpAnswer>> promise) {
  return [promise = std::move(promise)](HttpAnswer answer) { promise->set_value(std::move(answer)); };
}

}  // namespace

Backstage::Backstage() : client_(std::make_unique<CurlHttpClient>(loop_)), thread_([this] { loop_.run(); }) {}

Backstage::~Backstage() {
  run_on_loop([this] {
    servers_.clear();
    client_.reset();
  });
  loop_.stop();
  thread_.join();
}

void Backstage::run_on_loop(Task task) {
  std::promise<void> done;
  loop_.post([&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

Result<std::string> Backstage::listen(HttpHandler handler) {
  std::optional<Result<std::unique_ptr<HttpServer>>> listening;
  run_on_loop([&] { listening = HttpServer::listen(loop_, {}, std::move(handler)); });
  if (!*listening) return std::unexpected(listening->error());
  servers_.push_back(std::move(**listening));
  return fmt::format("http://127.0.0.1:{}", servers_.back()->port());
}

Backstage::Pending Backstage::send(HttpCall call) {
  std::vector<HttpCall> calls;
  calls.push_back(std::move(call));
  return std::move(send_all(std::move(calls)).front());
}

std::vector<Backstage::Pending> Backstage::send_all(std::vector<HttpCall> calls) {
  std::vector<Pending> pending;
  std::vector<std::shared_ptr<std::promise<HttpAnswer>>> promises;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    promises.push_back(std::make_shared<std::promise<HttpAnswer>>());
    pending.push_back(promises.back()->get_future());
  }
  loop_.post([this, calls = std::move(calls), promises = std::move(promises)]() mutable {
    for (std::size_t i = 0; i < calls.size(); ++i) client_->send(std::move(calls[i]), keep_in(promises[i]));
  });
  return pending;
}

void Backstage::send_and_unplug(HttpCall call, std::function<void()> const& wait_until_time) {
  std::unique_ptr<CurlHttpClient> device;
  run_on_loop([&] {
    device = std::make_unique<CurlHttpClient>(loop_);
    device->send(std::move(call), [](HttpAnswer const&) {});
  });
  auto const unplug = [&] { run_on_loop([&] { device.reset(); }); };
  try {
    wait_until_time();
  } catch (...) {
    unplug();
    throw;
  }
  unplug();
}

}  // namespace payonce::drill
