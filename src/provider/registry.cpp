#include "provider/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "provider/alipay/alipay_provider.h"
#include "provider/instant/instant_provider.h"
#include "provider/paypal/paypal_provider.h"
#include "provider/sandbox/sandbox_provider.h"
#include "provider/stripe/stripe_provider.h"
#include "provider/wechatpay/wechatpay_provider.h"

namespace payonce {

namespace {

using Made = Result<std::unique_ptr<Provider>>;

constexpr Connector known[] = {
    {"sandbox",
     {},
     [](auto const& settings, auto const& parts) { return make_sandbox_provider(settings, parts.http); }},
    {"instant",
     {},
     [](auto const& settings, auto const& parts) { return Made{make_instant_provider(settings, parts.loop)}; }},
    {"alipay", alipay::options, make_alipay_provider},
    {"paypal", paypal::options, make_paypal_provider},
    {"stripe", stripe::options, make_stripe_provider},
    {"wechatpay", wechatpay::options, make_wechatpay_provider},
};

std::string known_kinds() {
  std::string kinds;
  for (Connector const& connector : known) kinds.append(kinds.empty() ? "" : ", ").append(connector.kind);
  return kinds;
}

}  // namespace

std::span<Connector const> connectors() { return known; }

Connector const* find_connector(std::string_view kind) {
  auto const* const at = std::ranges::find(known, kind, &Connector::kind);
  return at == std::end(known) ? nullptr : at;
}

Result<Providers> Providers::make(std::vector<ProviderSettings> const& settings, ProviderParts const& parts) {
  Providers providers;
  for (ProviderSettings const& one : settings) {
    Connector const* const connector = find_connector(one.kind);
    if (!connector)
      return fail(ErrorCode::invalid_request,
                  fmt::format("provider {}: kind \"{}\" is unknown; use one of {}", one.name, one.kind, known_kinds()));
    auto http = std::make_unique<GuardedClient>(
        parts.http, parts.loop, parts.clock,
        GuardedClient::Options{one.name, one.calls_max, one.breaker_failures, one.breaker_pause});
    auto provider = connector->make(one, ProviderParts{*http, parts.loop, parts.clock, parts.random});
    if (!provider) return std::unexpected(provider.error());
    providers.by_name_.emplace(one.name, Entry{std::move(http), std::move(*provider)});
  }
  return providers;
}

void Providers::add(std::unique_ptr<Provider> provider) {
  std::string name{provider->terms().name};
  by_name_.emplace(std::move(name), Entry{nullptr, std::move(provider)});
}

Provider* Providers::find(std::string_view name) const {
  auto const at = by_name_.find(name);
  return at == by_name_.end() ? nullptr : at->second.provider.get();
}

bool Providers::is_crowded(std::string_view name) const {
  auto const at = by_name_.find(name);
  return at != by_name_.end() && at->second.http && at->second.http->is_crowded();
}

void Providers::each_health(
    std::function<void(std::string const& name, ProviderHealth const& health)> const& tell) const {
  for (auto const& [name, entry] : by_name_)
    if (entry.http) tell(name, entry.http->health());
}

}  // namespace payonce
