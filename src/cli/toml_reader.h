// One table of a TOML file, read key by key. It remembers the first error and which keys were asked for, so that
// unknown ones can be refused.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "cli/configuration.h"
#include "provider/secret.h"

namespace payonce {

class TomlReader {
 public:
  // `path` names the table in messages, e.g. "provider.sandbox".
  TomlReader(toml::table const& table, std::string path, Environment const& environment, std::optional<Error>& error)
      : table_(table), path_(std::move(path)), environment_(environment), error_(error) {}

  std::string text(std::string_view key, std::string fallback);
  std::string required_text(std::string_view key);
  // A text that may say where the value is: "env:NAME" or "file:PATH" .
  Secret secret(std::string_view key);
  std::vector<Secret> secrets(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  bool flag(std::string_view key, bool fallback);
  std::int64_t number(std::string_view key, std::int64_t fallback, std::int64_t min, std::int64_t max);
  std::optional<Millis> millis(std::string_view key, std::int64_t min, std::int64_t max);
  // The tables under [[key]].
  std::vector<toml::table const*> tables(std::string_view key);
  toml::table const* table(std::string_view key);

  void refuse(std::string_view key, std::string const& why);
  // Refuses the first key that nobody asked for.
  void refuse_unknown();

 private:
  toml::node const* find(std::string_view key);
  Secret resolve_secret(std::string_view key, std::string const& text);

  toml::table const& table_;
  std::string path_;
  Environment const& environment_;
  std::optional<Error>& error_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace payonce
