#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <filesystem>

#include "doctor/examine.h"
#include "store/read_rows.h"
#include "store/schema_history.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sql.gen.h"
#include "store/sqlite/statement.h"

namespace payonce {

namespace {

using enum CheckVerdict;
using sqlite::Connection;
using sqlite::Rows;
using sqlite::Statement;
namespace fs = std::filesystem;

// Not all kernels' headers have these.
constexpr std::int64_t cifs_magic = 0xFF534D42;
constexpr std::int64_t fuse_magic = 0x65735546;

// Below that, a busy day's write-ahead log may not fit.
constexpr std::uint64_t free_mib_wanted = 1024;

Diagnosis examine_file_system(fs::path const& folder) {
  struct statfs about{};
  if (::statfs(folder.c_str(), &about) != 0) return {"file system", warning, "could not be found out"};
  std::uint64_t const free_mib = std::uint64_t(about.f_bavail) * std::uint64_t(about.f_bsize) >> 20;
  switch (std::int64_t(about.f_type) & 0xFFFFFFFF) {
    case NFS_SUPER_MAGIC:
    case SMB_SUPER_MAGIC:
    case V9FS_MAGIC:
    case cifs_magic:
      return {"file system", problem, "a network file system: its locks and flushes do not hold what they promise",
              "put the file on a local disk, or use PostgreSQL"};
    case TMPFS_MAGIC:
    case RAMFS_MAGIC:
      return {"file system", problem, "in memory: everything is gone with the machine's next start",
              "put the file on a disk"};
    case fuse_magic:
      return {"file system", warning, "in user space (FUSE): whether a flush reaches a disk is up to its program",
              "put the file on a local disk"};
    default: break;
  }
  if (free_mib < free_mib_wanted)
    return {"file system", warning, fmt::format("local, {} MiB free", free_mib),
            "make room: a full disk stops payments"};
  return {"file system", ok, fmt::format("local, {} MiB free", free_mib)};
}

Diagnosis examine_permissions(std::string const& path, fs::path const& folder) {
  if (::access(path.c_str(), R_OK | W_OK) != 0)
    return {"permissions", problem, "this user may not read and write the file", "chown it to the service's user"};
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return {"permissions", problem, "this user may not write in the folder, where the write-ahead log stands",
            "chown the folder to the service's user"};
  std::string open_to_others;
  for (char const* const suffix : {"", "-wal", "-shm"}) {
    struct stat about{};
    if (::stat((path + suffix).c_str(), &about) == 0 && (about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
      open_to_others += (open_to_others.empty() ? "" : ", ") + fs::path(path + suffix).filename().string();
  }
  if (!open_to_others.empty())
    return {"permissions", warning, "other users of the machine may get at " + open_to_others,
            "chmod 600 the database file and its -wal and -shm"};
  return {"permissions", ok, "only the owner gets at the file"};
}

std::string first_text(Connection& connection, char const* pragma) {
  Statement statement(connection, pragma, pragma);
  Rows rows = statement.query();
  return rows.next() ? rows.text() : std::string{};
}

Diagnosis examine_journal(Connection& connection) {
  std::string const mode = first_text(connection, "PRAGMA journal_mode");
  if (mode == "wal") return {"write-ahead log", ok, "on"};
  return {"write-ahead log", warning, "journal mode is " + mode, "the next start of payonce switches it on"};
}

Diagnosis examine_integrity(Connection& connection) {
  std::string const said = first_text(connection, "PRAGMA integrity_check(1)");
  if (said != "ok")
    return {"integrity", problem, said, "stop the service, keep a copy of the files, and restore a backup"};
  if (!first_text(connection, "PRAGMA foreign_key_check").empty())
    return {"integrity", problem, "rows refer to others that are missing",
            "stop the service, keep a copy of the files, and restore a backup"};
  return {"integrity", ok, "every page, index and reference is right"};
}

Diagnosis examine_schema(Connection& connection, std::string const& path) {
  if (auto const ours = sqlite::check_is_ours(connection, path); !ours)
    return {"schema", problem, ours.error().detail, "name the right file"};
  Statement count(connection, "count_schema_objects", sqlite::sql::count_schema_objects);
  if (Rows rows = count.query(); rows.next() && rows.integer() == 0)
    return {"schema", ok, "empty; the first start makes the tables"};
  Statement statement(connection, "select_schema_migrations", sqlite::sql::select_schema_migrations);
  auto const applied =
      read_all(statement.query(), [](Rows& it) { return AppliedMigration{it.integer(), it.text(), it.text()}; });
  if (auto const fits = check_history(applied, sqlite::sql::migrations, path); !fits)
    return {"schema", problem, fits.error().detail, "see there"};
  return {"schema", ok, fmt::format("version {} of {}", applied.size(), std::size(sqlite::sql::migrations))};
}

}  // namespace

Diagnoses examine_sqlite(std::string const& path) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return {{"file", problem, fmt::format("the folder {} does not exist", folder.string()), "create it first"}};
  Diagnoses found;
  if (!fs::exists(path, ignored)) {
    found.push_back({"file", ok, "not there yet; the first start makes it"});
    found.push_back(examine_file_system(folder));
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
      found.push_back({"permissions", problem, "this user may not write in the folder", "chown the folder"});
    return found;
  }
  found.push_back({"file", ok, path});
  found.push_back(examine_file_system(folder));
  found.push_back(examine_permissions(path, folder));
  if (!is_healthy(found)) return found;
  try {
    Connection connection(path, Connection::Use::read);
    found.push_back(examine_schema(connection, path));
    found.push_back(examine_journal(connection));
    found.push_back(examine_integrity(connection));
  } catch (StoreError const& error) {
    found.push_back({"integrity", problem, error.what(), "keep a copy of the files, and restore a backup"});
  }
  return found;
}

}  // namespace payonce
