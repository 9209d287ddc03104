#include "cli/engine_room.h"

#include "base/log.h"
#include "cli/open_store.h"

namespace payonce {

namespace {

// How often one that stops looks whether everything in flight has ended.
constexpr Millis settle_look{10};

}  // namespace

Result<void> EngineRoom::build() {
  auto opened = open_store(settings.database.url);
  if (!opened) return std::unexpected(opened.error());
  store = std::move(*opened);
  if (auto const migrated = store->migrate(); !migrated) return migrated;
  provider_http = std::make_unique<CurlHttpClient>(loop);
  auto made = Providers::make(settings.providers, {*provider_http, loop, clock, random});
  if (!made) return std::unexpected(made.error());
  providers = std::move(*made);
  terms = std::make_unique<ConfiguredTerms>(settings.merchants, providers);
  reads = std::make_unique<ReadLane>(*store, loop);
  committer = std::make_unique<Committer>(*store, *terms, clock, loop, nullptr,
                                          [this](std::string_view name) { return providers.is_crowded(name); });
  engine = std::make_unique<Engine>(
      Engine::Parts{loop, clock, random, *committer, *reads, providers, metrics, fault_points});
  return {};
}

void EngineRoom::stop_when_settled(Millis patience, std::function<bool()> is_busy, Task settled) {
  engine->begin_drain();
  look_whether_settled(clock.monotonic() + patience, std::move(is_busy), std::move(settled));
}

void EngineRoom::look_whether_settled(std::chrono::nanoseconds deadline, std::function<bool()> is_busy, Task settled) {
  bool const is_settled = engine->under_way() == 0 && !is_busy();
  if (!is_settled && clock.monotonic() < deadline) {
    loop.after(settle_look, [this, deadline, is_busy = std::move(is_busy), settled = std::move(settled)]() mutable {
      look_whether_settled(deadline, std::move(is_busy), std::move(settled));
    });
    return;
  }
  if (!is_settled)
    log_warn("stopping although {} calls are under way; they are found again at the next start", engine->under_way());
  committer->stop();
  reads->stop();
  settled();
}

}  // namespace payonce
