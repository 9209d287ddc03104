// The doctor's judgement over facts, without the database that they were read from.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "doctor/finding.h"

namespace payonce {

// As the server tells them; absent what it does not know.
struct ServerFacts {
  std::optional<std::string> version_number;
  std::optional<std::string> fsync;
  std::optional<std::string> full_page_writes;
  std::optional<std::string> synchronous_commit;
  std::optional<std::string> synchronous_standby_names;
  std::optional<std::string> autovacuum;
  std::optional<std::string> collation;
  std::optional<std::string> schema;
  std::string version;
};

struct Standbys {
  std::int64_t all = 0;
  std::int64_t synchronous = 0;
  std::int64_t hidden = 0;  // of which this role may not see whether they are synchronous
};

Diagnosis judge_version(ServerFacts const& facts);
Diagnosis judge_fsync(ServerFacts const& facts);
Diagnosis judge_full_page_writes(ServerFacts const& facts);
Diagnosis judge_synchronous_commit(ServerFacts const& facts);
Diagnosis judge_standbys(ServerFacts const& facts, Standbys const& standbys);
Diagnosis judge_autovacuum(ServerFacts const& facts);
Diagnosis judge_collation(ServerFacts const& facts);
// `skew`: the server's clock minus ours; `uncertainty`: how far that may be off.
Diagnosis judge_clock(Millis skew, Millis uncertainty);

}  // namespace payonce
