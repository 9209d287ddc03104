#include "store/sqlite/sqlite_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "store/sqlite/checkpointer.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_reader.h"
#include "store/sqlite/sqlite_writer.h"
#include "store/sqlite/statement.h"

namespace payonce {

namespace sqlite {
namespace {

class SqliteStore final : public Store {
 public:
  SqliteStore(std::string const& path, std::unique_ptr<Connection> connection, Checkpoints who)
      : path_(path), connection_(std::move(connection)), checkpointer_(path, who), durability_(path) {}

  Result<void> migrate() override try { return sqlite::migrate(*connection_, path_); } catch (StoreError const& error) {
    return fail(ErrorCode::unavailable,
                fmt::format("the schema of {} can't be brought up to date: {}", path_, error.what()));
  }

  std::unique_ptr<Writer> open_writer() override {
    return std::make_unique<SqliteWriter>(path_, checkpointer_, durability_);
  }
  std::unique_ptr<Reader> open_reader() override { return std::make_unique<SqliteReader>(path_, durability_); }
  std::size_t writer_lanes() const override { return 1; }

 private:
  std::string const path_;
  std::unique_ptr<Connection> const connection_;
  Checkpointer checkpointer_;
  Durability durability_;
};

std::unexpected<Error> cannot_open(std::string const& path, std::string_view why) {
  return fail(ErrorCode::unavailable, fmt::format("the database file {} can't be opened: {}", path, why));
}

// Creates an empty file that only its owner may read, unless there is one. SQLite itself would let others read it.
Result<void> ensure_file(std::string const& path) {
  auto folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    return cannot_open(path, fmt::format("the folder {} does not exist; create it first", folder.string()));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return cannot_open(path, fmt::format("the folder {} is not writable for this user", folder.string()));

  // An existing file must not be opened here: closing it would drop the locks that SQLite holds on it in this process.
  int const file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) {
    ::close(file);
    return {};
  }
  if (errno != EEXIST) return cannot_open(path, std::generic_category().message(errno));
  if (!std::filesystem::is_regular_file(path, ignored)) return cannot_open(path, "it is not a regular file");
  if (::access(path.c_str(), R_OK | W_OK) != 0)
    return cannot_open(path, "it is not readable and writable for this user");
  return {};
}

// Persistent, so only the first start changes anything. Needs the file for itself for a moment.
Result<void> use_write_ahead_log(Connection& connection, std::string const& path) {
  constexpr int tries_max = 250;
  for (int tries = 0;; ++tries) {
    try {
      Statement set(connection, "journal_mode", "PRAGMA journal_mode = WAL");
      Rows rows = set.query();
      if (rows.next() && rows.text_view() == "wal") return {};
      return cannot_open(path, "its file system does not support shared memory; use a local disk");
    } catch (StoreError const& error) {
      if (error.kind != StoreError::Kind::conflict || tries == tries_max) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

// The first connection to the file, which is there and ours from now on.
Result<std::unique_ptr<Connection>> prepare_file(std::string const& path) {
  static std::mutex one_at_a_time;  // so that no file is closed here while SQLite in this process has it open
  std::lock_guard const lock(one_at_a_time);
  if (auto const there = ensure_file(path); !there) return std::unexpected(there.error());
  auto connection = std::make_unique<Connection>(path, Connection::Use::write);
  if (auto const ours = check_is_ours(*connection, path); !ours) return std::unexpected(ours.error());
  if (auto const set = use_write_ahead_log(*connection, path); !set) return std::unexpected(set.error());
  return connection;
}

}  // namespace
}  // namespace sqlite

Result<std::unique_ptr<Store>> open_sqlite(std::string const& path, Checkpoints who) try {
  auto connection = sqlite::prepare_file(path);
  if (!connection) return std::unexpected(connection.error());
  return std::make_unique<sqlite::SqliteStore>(path, std::move(*connection), who);
} catch (StoreError const& error) {
  if (std::string_view{error.what()}.contains(sqlite3_errstr(SQLITE_NOTADB)))
    return sqlite::cannot_open(path, "it is not an SQLite database; name another file in the configuration");
  return sqlite::cannot_open(path, error.what());
}

}  // namespace payonce
