// The engine with what it runs on, built from the settings in plain order: the part of a node that commands without a
// server use as well.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "cli/settings.h"
#include "engine/engine.h"
#include "net/asio_loop.h"
#include "net/http_client.h"
#include "store/store.h"

namespace payonce {

// Members in the order in which they are built; torn down in the reverse one.
class EngineRoom {
 public:
  EngineRoom(AsioLoop& loop, Settings settings, std::string crash_at)
      : loop(loop), settings(std::move(settings)), fault_points(std::move(crash_at)) {}

  // Opens the database, brings its schema up to date, and builds the rest. Once, before anything else is used.
  Result<void> build();

  // Calls `settled` as soon as nothing is under way, or when the patience is over; nothing is committed or read
  // afterwards. `is_busy` tells of work beyond the engine's own.
  void stop_when_settled(Millis patience, std::function<bool()> is_busy, Task settled);

  AsioLoop& loop;
  Settings const settings;
  FaultPoints const fault_points;
  SystemClock clock;
  SystemRandom random;
  Metrics metrics;
  std::unique_ptr<Store> store;
  std::unique_ptr<CurlHttpClient> provider_http;
  Providers providers;
  std::unique_ptr<ConfiguredTerms> terms;
  std::unique_ptr<ReadLane> reads;
  std::unique_ptr<Committer> committer;
  std::unique_ptr<Engine> engine;

 private:
  void look_whether_settled(std::chrono::nanoseconds deadline, std::function<bool()> is_busy, Task settled);
};

}  // namespace payonce
