#include "store/store_suite.h"

namespace payonce::test {

std::vector<DatabaseKind> database_kinds() {
  return {{"sqlite", make_sqlite_database}, {"postgres", make_postgres_database}};
}

INSTANTIATE_TEST_SUITE_P(AllDatabases, StoreSuite, ::testing::ValuesIn(database_kinds()),
                         [](auto const& info) { return std::string{info.param.name}; });

void StoreSuite::SetUp() {
  database_ = GetParam().make();
  connect();
}

void StoreSuite::connect() {
  store_ = database_->open();
  ASSERT_TRUE(store_);
  auto const migrated = store_->migrate();
  ASSERT_TRUE(migrated) << migrated.error().detail;
  writer_ = store_->open_writer();
  reader_ = store_->open_reader();
}

void StoreSuite::restart() {
  reader_.reset();
  writer_.reset();
  store_.reset();
  connect();
}

void StoreSuite::write(WriteSet const& changes) {
  writer().begin();
  writer().write(changes);
  writer().commit();
}

std::optional<StoreError::Kind> StoreSuite::failure_of(WriteSet const& changes) {
  try {
    write(changes);
    return std::nullopt;
  } catch (StoreError const& error) {
    writer().rollback();
    return error.kind;
  }
}

}  // namespace payonce::test
