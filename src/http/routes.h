// The table of endpoints.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "http/handlers.h"

namespace payonce {

struct Route {
  std::string_view method;
  std::string_view pattern;  // segments; {} stands for any one
  void (*handler)(Api&, ExchangePtr const&);
  bool needs_key = true;
  // Query parameters the endpoint knows; any other one is refused, so that no caller believes in an option that is not
  // there (a dry run, for instance).
  std::array<std::string_view, 2> parameters = {};
  // But for where a provider sends the buyer: it adds what it likes, and nobody reads it.
  bool takes_any_parameter = false;
};

std::span<Route const> routes();

}  // namespace payonce
