// What a connector asks of the configuration beyond the settings all providers share, said as data: the configuration
// reads and refuses by it and knows no connector.
#pragma once

#include <string_view>

namespace payonce {

struct ProviderOption {
  enum class Type {
    text,
    choice,   // one of `choices`
    flag,     // true or false in TOML
    secret,   // a text that may say env:NAME or file:PATH
    secrets,  // a list of them
  };

  std::string_view name;
  Type type = Type::text;
  bool is_required = false;
  std::string_view fallback = {};  // what holds when it is left out
  std::string_view choices = {};   // of a choice, parted by blanks
};

}  // namespace payonce
