#include "cli/open_store.h"

#include <fmt/format.h>

#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"

namespace payonce {

Result<std::unique_ptr<Store>> open_store(std::string const& url) {
  std::string const scheme = url.substr(0, url.find(':'));
  if (scheme == "sqlite" && scheme != url) return open_sqlite(url.substr(scheme.size() + 1));
  if (scheme == "postgresql" || scheme == "postgres") return open_postgres(url);
  // The rest of the url may hold a password.
  return fail(
      ErrorCode::invalid_request,
      fmt::format("database url \"{}:…\": write sqlite:PATH or postgresql://USER@HOST/DATABASE", scheme.substr(0, 32)));
}

}  // namespace payonce
