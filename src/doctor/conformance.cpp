#include "doctor/conformance.h"

#include <fmt/format.h>

#include "doctor/conformance_checks.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/scratch_schema.h"

namespace payonce {

namespace {

// A writer that is rightly made to wait gives up after this: it is what the check for locks waits for.
constexpr std::string_view brief_lock_timeout = "%20-clock_timeout%3D300";

Diagnosis play(ConformanceCheck const& check, Scene& scene) {
  std::string const name{check.name};
  std::string const advice = fmt::format("do not use this database: {}", check.otherwise);
  try {
    std::string const wrong = check.play(scene);
    if (wrong.empty()) return {name, CheckVerdict::ok, "holds"};
    return {name, CheckVerdict::problem, wrong, advice};
  } catch (StoreError const& error) {
    scene.one->rollback();
    scene.other->rollback();
    return {name, CheckVerdict::problem, error.what(), advice};
  }
}

}  // namespace

Result<Diagnoses> check_conformance(std::string const& url, std::string const& name) {
  auto const schema = ScratchSchema::create(url, name);
  if (!schema) return std::unexpected(schema.error());
  std::string const scratch_url = schema->url() + std::string{brief_lock_timeout};
  auto const store = open_postgres(scratch_url);
  if (!store) return std::unexpected(store.error());
  if (auto const made = (*store)->migrate(); !made)
    return Diagnoses{{"tables, triggers and functions can be made", CheckVerdict::problem, made.error().detail,
                      "do not use this database: payonce can't make its tables there"}};
  Diagnoses found{{"tables, triggers and functions can be made", CheckVerdict::ok, "holds"}};
  Scene scene{**store, scratch_url};
  for (ConformanceCheck const& check : conformance_checks()) found.push_back(play(check, scene));
  return found;
}

}  // namespace payonce
