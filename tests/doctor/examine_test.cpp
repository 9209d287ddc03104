// The doctor before real databases.
#include "doctor/examine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/key_store.h"
#include "support/postgres_server.h"

namespace payonce::test {

namespace {

namespace fs = std::filesystem;

PostgresServer& server() { return PostgresServer::shared(); }

std::string show(Diagnoses const& found) { return diagnoses_text(found); }

// The verdict on one check; absent if it was not made.
std::optional<CheckVerdict> verdict(Diagnoses const& found, std::string_view check) {
  auto const at = std::ranges::find(found, check, &Diagnosis::check);
  return at == found.end() ? std::nullopt : std::optional{at->verdict};
}

class SqliteFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "payonce-doctor-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = (folder_ / "shop.db").string();
  }
  void TearDown() override { fs::remove_all(folder_); }
  void make() { ASSERT_TRUE(open_migrated_store("sqlite:" + path_)); }

  fs::path folder_;
  std::string path_;
};

}  // namespace

// The tests' own server does not sync, which is just what the doctor is for.
TEST(DoctorAtPostgres, AServerThatDoesNotSyncIsNotHealthyAndTheRestIs) {
  std::string const schema = server().create_schema();
  ASSERT_TRUE(open_migrated_store(server().url(schema)));
  Diagnoses const found = examine_postgres(server().url(schema));
  EXPECT_EQ(verdict(found, "fsync"), CheckVerdict::problem);
  EXPECT_EQ(verdict(found, "full_page_writes"), CheckVerdict::problem);
  EXPECT_EQ(verdict(found, "autovacuum"), CheckVerdict::warning);
  for (char const* const check : {"connection", "pooler", "server version", "encoding and collation",
                                  "synchronous_commit", "standby", "clocks", "privileges", "schema"})
    EXPECT_EQ(verdict(found, check), CheckVerdict::ok) << check << "\n" << show(found);
}

TEST(DoctorAtPostgres, ASettingOfTheRoleIsSeenThoughOurSessionsOverrideIt) {
  std::string const schema = server().create_schema();
  ASSERT_TRUE(server().execute(
      schema, "CREATE ROLE hasty_" + schema + " LOGIN; ALTER ROLE hasty_" + schema + " SET synchronous_commit = off"));
  Diagnoses const found = examine_postgres(server().url(schema) + "&user=hasty_" + schema);
  EXPECT_EQ(verdict(found, "synchronous_commit"), CheckVerdict::warning) << show(found);
  EXPECT_EQ(verdict(found, "privileges"), CheckVerdict::problem) << show(found);
}

TEST(DoctorAtPostgres, MissingPrivilegesAreNamed) {
  std::string const schema = server().create_schema();
  ASSERT_TRUE(open_migrated_store(server().url(schema)));
  std::string const role = "weak_" + schema;
  ASSERT_TRUE(server().execute(schema, "CREATE ROLE " + role + " LOGIN; GRANT USAGE ON SCHEMA " + schema + " TO " +
                                           role + "; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA " + schema +
                                           " TO " + role + "; REVOKE UPDATE ON orders FROM " + role));
  Diagnoses const found = examine_postgres(server().url(schema) + "&user=" + role);
  EXPECT_EQ(verdict(found, "privileges"), CheckVerdict::problem);
  EXPECT_NE(show(found).find("UPDATE on orders"), std::string::npos) << show(found);
}

TEST(DoctorAtPostgres, ANewerSchemaAndAnAbsentOneAreProblems) {
  std::string const schema = server().create_schema();
  ASSERT_TRUE(open_migrated_store(server().url(schema)));
  ASSERT_TRUE(server().execute(schema, "INSERT INTO schema_migrations VALUES (999, 'later', '')"));
  EXPECT_EQ(verdict(examine_postgres(server().url(schema)), "schema"), CheckVerdict::problem);
  EXPECT_EQ(verdict(examine_postgres(server().url("no_such_schema")), "privileges"), CheckVerdict::problem);
}

TEST(DoctorAtPostgres, ADatabaseThatCanNotBeReachedIsAProblemWithoutAPassword) {
  Diagnoses const found = examine_postgres("postgresql://shop:hunter2@/db?host=/nowhere");
  EXPECT_EQ(verdict(found, "connection"), CheckVerdict::problem);
  EXPECT_EQ(show(found).find("hunter2"), std::string::npos) << show(found);
}

TEST_F(SqliteFile, AFreshDatabaseOfOursIsHealthy) {
  make();
  Diagnoses const found = examine_sqlite(path_);
  EXPECT_TRUE(is_healthy(found)) << show(found);
  for (char const* const check : {"file", "permissions", "schema", "write-ahead log", "integrity"})
    EXPECT_EQ(verdict(found, check), CheckVerdict::ok) << show(found);
}

TEST_F(SqliteFile, NothingIsMadeWhereNothingIs) {
  EXPECT_TRUE(is_healthy(examine_sqlite(path_)));
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_FALSE(is_healthy(examine_sqlite((folder_ / "no" / "shop.db").string())));
}

TEST_F(SqliteFile, AFileThatOthersMayReadIsAWarning) {
  make();
  ::chmod(path_.c_str(), 0644);
  EXPECT_EQ(verdict(examine_sqlite(path_), "permissions"), CheckVerdict::warning);
}

TEST_F(SqliteFile, ADamagedFileIsAProblem) {
  make();
  {
    std::fstream file{path_, std::ios::in | std::ios::out | std::ios::binary};
    file.seekp(4096 * 3);
    file << std::string(4096 * 4, 'x');
  }
  EXPECT_EQ(verdict(examine_sqlite(path_), "integrity"), CheckVerdict::problem);
}

TEST_F(SqliteFile, AnotherProgramsFileIsAProblem) {
  std::ofstream{path_} << "these are no books";
  EXPECT_FALSE(is_healthy(examine_sqlite(path_)));
}

}  // namespace payonce::test
