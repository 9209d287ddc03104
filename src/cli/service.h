// The whole service of one node, built from its settings in plain order. Tests run it in their own process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "cli/settings.h"
#include "net/asio_loop.h"

namespace payonce {

class Service {
 public:
  // Opens the database, brings its schema up to date, and listens. Errors say what, where, and what to do.
  // `crash_at` names a fault point at which the process kills itself; empty in real life.
  static Result<std::unique_ptr<Service>> start(AsioLoop& loop, Settings settings, std::string crash_at);

  ~Service();
  Service(Service const&) = delete;
  Service& operator=(Service const&) = delete;

  std::uint16_t port() const;
  // Takes nothing new, finishes and answers what is in flight, then calls `stopped`. Loop thread.
  void stop(Task stopped);

 private:
  struct Parts;
  explicit Service(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace payonce
