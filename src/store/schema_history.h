// Which migrations a database has had, and whether they are those of this program. The same for every database.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/crypto.h"
#include "base/error.h"

namespace payonce {

struct AppliedMigration {
  std::int64_t number;
  std::string name;
  std::string checksum;
};

// Refuses a schema that is newer than `ours` by more than one migration, and one that was made by other texts. One
// migration ahead is what a node meets that starts again in the middle of a rolling upgrade: each release brings one at
// most, and leaves the release before it working. `database` names it for people.
template <class Migration, std::size_t count>
Result<void> check_history(std::vector<AppliedMigration> const& applied, Migration const (&ours)[count],
                           std::string_view database) {
  if (!applied.empty() && applied.back().number > std::int64_t(count) + 1)
    return fail(
        ErrorCode::unavailable,
        fmt::format("{} has schema version {}, and this payonce knows versions up to {}; start the newer payonce "
                    "that wrote it, or restore a backup from before its upgrade",
                    database, applied.back().number, count));
  for (std::size_t i = 0; i < std::min(applied.size(), count); ++i) {
    if (applied[i].number == ours[i].number && applied[i].checksum == sha256_hex(ours[i].sql)) continue;
    return fail(ErrorCode::unavailable,
                fmt::format("{} was made by another payonce: its migration {} \"{}\" is not this one's {} \"{}\". "
                            "Nothing was changed in it; start the payonce that made it, or name a new database",
                            database, applied[i].number, applied[i].name, ours[i].number, ours[i].name));
  }
  return {};
}

}  // namespace payonce
