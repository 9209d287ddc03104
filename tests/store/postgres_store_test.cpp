// PostgreSQL for the suite, and what only PostgreSQL has: settings, plans, migrations of several nodes.
#include "store/postgres/postgres_store.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "store/rows.h"
#include "store/store_suite.h"
#include "support/postgres_server.h"

namespace payonce::test {

namespace {

class PostgresDatabase final : public TestDatabase {
 public:
  std::unique_ptr<Store> open() override {
    auto store = open_postgres(PostgresServer::shared().url(schema_));
    EXPECT_TRUE(store) << store.error().detail;
    return store ? std::move(*store) : nullptr;
  }
  bool execute(std::string const& sql) override { return PostgresServer::shared().execute(schema_, sql).has_value(); }

 private:
  std::string const schema_ = PostgresServer::shared().create_schema();
};

}  // namespace

std::unique_ptr<TestDatabase> make_postgres_database() { return std::make_unique<PostgresDatabase>(); }

}  // namespace payonce::test
