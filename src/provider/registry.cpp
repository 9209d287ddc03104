#include "provider/registry.h"

#include <fmt/format.h>

#include "provider/instant/instant_provider.h"
#include "provider/sandbox/sandbox_provider.h"

namespace payonce {

namespace {

Result<std::unique_ptr<Provider>> make_one(ProviderSettings const& settings, HttpClient& http, Loop& loop) {
  if (settings.kind == "sandbox") return make_sandbox_provider(settings, http);
  if (settings.kind == "instant") return make_instant_provider(settings, loop);
  return fail(ErrorCode::invalid_request,
              fmt::format("provider {}: kind \"{}\" is unknown; use sandbox or instant", settings.name, settings.kind));
}

}  // namespace

Result<Providers> Providers::make(std::vector<ProviderSettings> const& settings, HttpClient& http, Loop& loop) {
  Providers providers;
  for (ProviderSettings const& one : settings) {
    auto provider = make_one(one, http, loop);
    if (!provider) return std::unexpected(provider.error());
    providers.add(std::move(*provider));
  }
  return providers;
}

void Providers::add(std::unique_ptr<Provider> provider) {
  std::string name{provider->terms().name};
  by_name_.emplace(std::move(name), std::move(provider));
}

Provider* Providers::find(std::string_view name) const {
  auto const at = by_name_.find(name);
  return at == by_name_.end() ? nullptr : at->second.get();
}

}  // namespace payonce
