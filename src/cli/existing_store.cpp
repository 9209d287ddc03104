#include "cli/existing_store.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/configuration.h"
#include "cli/key_store.h"

namespace payonce {

Result<std::unique_ptr<Store>> open_existing_store(std::string const& url) {
  constexpr std::string_view file_scheme = "sqlite:";
  std::error_code ignored;
  if (url.starts_with(file_scheme) && !std::filesystem::exists(url.substr(file_scheme.size()), ignored))
    return fail(ErrorCode::not_found,
                fmt::format("there is no database {}; name it by --database or by --config", url));
  return open_migrated_store(url);
}

Result<Settings> settings_for_reading(std::string const& config, std::string const& database) {
  auto settings = load_settings(config);
  if (settings && !database.empty()) settings->database.url = database;
  return settings;
}

}  // namespace payonce
