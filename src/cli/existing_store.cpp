#include "cli/existing_store.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/archives.h"
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

Result<HistoryAtHand> open_history(std::string const& database, std::string const& archive) {
  HistoryAtHand found;
  auto live = open_archivist(database);
  if (!live) return std::unexpected(live.error());
  found.live = std::move(*live);
  if (archive.empty()) return found;
  auto store = open_existing_store(archive);
  if (!store) return std::unexpected(store.error());
  found.store = std::move(*store);
  found.archive = found.store->open_reader();
  return found;
}

Result<Settings> settings_for_reading(std::string const& config, std::string const& database) {
  auto settings = load_settings(config);
  if (settings && !database.empty()) settings->database.url = database;
  return settings;
}

}  // namespace payonce
