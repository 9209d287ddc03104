// All configured providers, and the one place where connectors are known by kind.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "provider/guarded_client.h"
#include "provider/option.h"
#include "provider/parts.h"
#include "provider/provider.h"
#include "provider/settings.h"

namespace payonce {

// One kind of provider. Adding one: docs/guides/add-a-provider.md.
struct Connector {
  std::string_view kind;
  std::span<ProviderOption const> options;
  // invalid_request, naming the provider and the setting, when one is missing or can't be used.
  Result<std::unique_ptr<Provider>> (*make)(ProviderSettings const& settings, ProviderParts const& parts);
};

std::span<Connector const> connectors();
// Null if there is none of this kind.
Connector const* find_connector(std::string_view kind);

class Providers {
 public:
  // Each with a guarded client of its own in front of parts.http. invalid_request as above, or for an unknown kind.
  static Result<Providers> make(std::vector<ProviderSettings> const& settings, ProviderParts const& parts);

  // One that reaches its provider by itself, under the name in its terms.
  void add(std::unique_ptr<Provider> provider);
  // Null if there is none of this name.
  Provider* find(std::string_view name) const;

  // See GuardedClient. Any thread.
  bool is_crowded(std::string_view name) const;
  void each_health(std::function<void(std::string const& name, ProviderHealth const& health)> const& tell) const;

 private:
  struct Entry {
    std::unique_ptr<GuardedClient> http;  // null for one that was added
    std::unique_ptr<Provider> provider;
  };
  std::map<std::string, Entry, std::less<>> by_name_;
};

}  // namespace payonce
