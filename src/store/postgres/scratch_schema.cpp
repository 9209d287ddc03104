#include "store/postgres/scratch_schema.h"

#include <fmt/format.h>

#include <utility>

#include "base/log.h"
#include "store/postgres/connection.h"

namespace payonce {

namespace {

void run(std::string const& url, std::string const& sql, std::string_view doing) {
  auto const settings = postgres::ConnectionSettings::parse(url);
  if (!settings) throw StoreError(StoreError::Kind::unavailable, settings.error().detail);
  postgres::Connection connection{*settings};
  connection.open_without_waiting();
  connection.run_script(sql, doing);
}

}  // namespace

ScratchSchema::ScratchSchema(std::string database_url, std::string name)
    : database_url_(std::move(database_url)),
      name_(std::move(name)),
      url_(fmt::format("{}{}options=-csearch_path%3D{}", database_url_, database_url_.contains('?') ? '&' : '?',
                       name_)) {}

ScratchSchema::ScratchSchema(ScratchSchema&& other) noexcept
    : database_url_(std::move(other.database_url_)),
      name_(std::exchange(other.name_, {})),
      url_(std::move(other.url_)) {}

Result<ScratchSchema> ScratchSchema::create(std::string const& url, std::string const& name) try {
  run(url, fmt::format("CREATE SCHEMA {}", name), "making a scratch schema");
  return ScratchSchema{url, name};
} catch (StoreError const& error) {
  return fail(ErrorCode::unavailable,
              fmt::format("a scratch schema can't be made: {}; the role needs CREATE on the database", error.what()));
}

ScratchSchema::~ScratchSchema() {
  if (name_.empty()) return;
  try {
    run(database_url_, fmt::format("DROP SCHEMA {} CASCADE", name_), "dropping a scratch schema");
  } catch (std::exception const& error) {
    log_warn("the scratch schema {} is left behind: {}", name_, error.what());
  }
}

}  // namespace payonce
