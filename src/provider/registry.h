// All configured providers, and the one place where connectors are known by kind.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "net/http_client.h"
#include "provider/provider.h"
#include "provider/settings.h"

namespace payonce {

class Providers {
 public:
  // invalid_request, naming the provider and the setting, when a kind is unknown or a setting is missing.
  static Result<Providers> make(std::vector<ProviderSettings> const& settings, HttpClient& http, Loop& loop);

  // Under the name in its terms.
  void add(std::unique_ptr<Provider> provider);
  // Null if there is none of this name.
  Provider* find(std::string_view name) const;

 private:
  std::map<std::string, std::unique_ptr<Provider>, std::less<>> by_name_;
};

}  // namespace payonce
