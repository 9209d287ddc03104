// The suite that every database passes. A test gets a fresh, empty, migrated store and talks to it through the port;
// only where a rule guards against hands in the database itself does it send SQL past the port.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace payonce::test {

// One database of a test, empty at first, removed with this object.
class TestDatabase {
 public:
  virtual ~TestDatabase() = default;
  // Connects to it as a program does that starts; may be called again while other stores are open.
  virtual std::unique_ptr<Store> open() = 0;
  // Runs SQL past the port. False when the database refuses it.
  virtual bool execute(std::string const& sql) = 0;
};

struct DatabaseKind {
  char const* name;
  std::unique_ptr<TestDatabase> (*make)();
};
inline void PrintTo(DatabaseKind const& kind, std::ostream* out) { *out << kind.name; }

// Every database there is.
std::vector<DatabaseKind> database_kinds();
std::unique_ptr<TestDatabase> make_sqlite_database();
std::unique_ptr<TestDatabase> make_postgres_database();

class StoreSuite : public ::testing::TestWithParam<DatabaseKind> {
 protected:
  void SetUp() override;

  TestDatabase& database() { return *database_; }
  Store& store() { return *store_; }
  Writer& writer() { return *writer_; }
  Reader& reader() { return *reader_; }

  // Closes everything and opens it again, as a program that was stopped and started.
  void restart();

  // One committed transaction.
  void write(WriteSet const& changes);
  // What a transaction with these rows fails with; nothing if it was committed. It leaves no trace then.
  std::optional<StoreError::Kind> failure_of(WriteSet const& changes);

 private:
  void connect();

  std::unique_ptr<TestDatabase> database_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Reader> reader_;
};

inline constexpr auto conflict = StoreError::Kind::conflict;
inline constexpr auto refused = StoreError::Kind::refused;

}  // namespace payonce::test
