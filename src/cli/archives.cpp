#include "cli/archives.h"

#include <fmt/format.h>

#include "store/postgres/postgres_archive.h"
#include "store/postgres/postgres_archivist.h"
#include "store/sqlite/sqlite_archive.h"
#include "store/sqlite/sqlite_archivist.h"

namespace payonce {

namespace {

constexpr std::string_view file_scheme = "sqlite:";

}  // namespace

Result<std::unique_ptr<Archive>> open_archive(std::string const& url) {
  if (url.starts_with(file_scheme)) return open_sqlite_archive(url.substr(file_scheme.size()));
  return open_postgres_archive(url);
}

Result<std::unique_ptr<Archivist>> open_archivist(std::string const& url) {
  if (url.starts_with(file_scheme)) return open_sqlite_archivist(url.substr(file_scheme.size()));
  return open_postgres_archivist(url);
}

Result<void> check_unused(std::string const& url) {
  if (url.starts_with(file_scheme)) return {};  // the archive has the file alone, or does not open
  auto const sessions = count_postgres_sessions(url);
  if (!sessions) return std::unexpected(sessions.error());
  if (*sessions == 0) return {};
  return fail(ErrorCode::unavailable,
              fmt::format("{} sessions of payonce are connected to {}: nothing was copied; stop the services first. If "
                          "they belong to another shop, in a schema of its own, add --in-use-by-others",
                          *sessions, shown(url)));
}

// Only what stands between scheme and host, and behind `?`, can hold a secret.
std::string shown(std::string const& url) {
  if (url.starts_with(file_scheme)) return url;
  std::string text = url.substr(0, url.find('?'));
  std::size_t const start = text.find("://");
  std::size_t const host = text.rfind('@');
  if (start != std::string::npos && host != std::string::npos && host > start)
    text.erase(start + 3, host + 1 - (start + 3));
  return text;
}

}  // namespace payonce
