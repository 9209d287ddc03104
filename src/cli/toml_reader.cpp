#include "cli/toml_reader.h"

namespace payonce {

void TomlReader::refuse(std::string_view key, std::string const& why) {
  if (error_) return;
  std::string const name = path_.empty() ? std::string{key} : fmt::format("{}.{}", path_, key);
  error_ = Error{ErrorCode::invalid_request, fmt::format("setting {}: {}", name, why), name};
}

toml::node const* TomlReader::find(std::string_view key) {
  asked_.emplace(key);
  return table_.get(key);
}

std::string TomlReader::text(std::string_view key, std::string fallback) {
  toml::node const* const node = find(key);
  if (!node) return fallback;
  if (auto const value = node->value_exact<std::string>()) return *value;
  refuse(key, "must be a text in quotes");
  return fallback;
}

std::string TomlReader::required_text(std::string_view key) {
  std::string value = text(key, {});
  if (value.empty()) refuse(key, "is missing");
  return value;
}

Secret TomlReader::resolve_secret(std::string_view key, std::string const& text) {
  if (text.starts_with("env:")) {
    auto const at = environment_.find(text.substr(4));
    if (at != environment_.end() && !at->second.empty()) return at->second;
    refuse(key, fmt::format("names the variable {}, which is not set", text.substr(4)));
    return {};
  }
  if (!text.starts_with("file:")) return text;
  auto secret = Secret::from_file(text.substr(5));
  if (secret) return std::move(*secret);
  refuse(key, fmt::format("names {}", secret.error().detail));
  return {};
}

Secret TomlReader::secret(std::string_view key) { return resolve_secret(key, text(key, {})); }

std::vector<std::string> TomlReader::texts(std::string_view key) {
  toml::node const* const node = find(key);
  if (!node) return {};
  std::vector<std::string> values;
  toml::array const* const array = node->as_array();
  for (std::size_t i = 0; array && i < array->size(); ++i)
    if (auto const value = (*array)[i].value_exact<std::string>()) values.push_back(*value);
  if (!array || values.size() != array->size()) refuse(key, "must be a list of texts: [\"a\", \"b\"]");
  return values;
}

std::vector<Secret> TomlReader::secrets(std::string_view key) {
  std::vector<Secret> secrets;
  for (std::string const& value : texts(key)) {
    // An empty secret is one that everybody knows.
    if (value.empty()) refuse(key, "holds an empty text");
    secrets.push_back(resolve_secret(key, value));
  }
  return secrets;
}

bool TomlReader::flag(std::string_view key, bool fallback) {
  toml::node const* const node = find(key);
  if (!node) return fallback;
  if (auto const value = node->value_exact<bool>()) return *value;
  refuse(key, "must be true or false");
  return fallback;
}

std::int64_t TomlReader::number(std::string_view key, std::int64_t fallback, std::int64_t min, std::int64_t max) {
  toml::node const* const node = find(key);
  if (!node) return fallback;
  auto const value = node->value_exact<std::int64_t>();
  if (value && *value >= min && *value <= max) return *value;
  refuse(key, fmt::format("must be a whole number from {} to {}", min, max));
  return fallback;
}

std::optional<Millis> TomlReader::millis(std::string_view key, std::int64_t min, std::int64_t max) {
  if (!find(key)) return std::nullopt;
  return Millis{number(key, min, min, max)};
}

std::vector<toml::table const*> TomlReader::tables(std::string_view key) {
  toml::node const* const node = find(key);
  if (!node) return {};
  std::vector<toml::table const*> found;
  toml::array const* const array = node->as_array();
  for (std::size_t i = 0; array && i < array->size(); ++i)
    if (auto const* one = (*array)[i].as_table()) found.push_back(one);
  if (!array || found.size() != array->size()) refuse(key, fmt::format("must be written as [[{}]]", key));
  return found;
}

toml::table const* TomlReader::table(std::string_view key) {
  toml::node const* const node = find(key);
  if (!node) return nullptr;
  if (auto const* one = node->as_table()) return one;
  refuse(key, fmt::format("must be written as [{}]", key));
  return nullptr;
}

void TomlReader::refuse_unknown() {
  for (auto const& [key, node] : table_)
    if (!asked_.contains(key.str()))
      refuse(key.str(), fmt::format("is not a setting; known here are: {}", fmt::join(asked_, ", ")));
}

}  // namespace payonce
