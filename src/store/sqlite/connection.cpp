#include "store/sqlite/connection.h"

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <thread>

namespace payonce::sqlite {

namespace {

// How long a statement waits for another process's transaction. Ours take milliseconds; whoever holds the lock for
// longer is stuck, and the batch is told so instead of waiting with it.
constexpr int lock_patience_ms = 5'000;

// The writer finds the pages that it is adding to and the upper ones of each index here without asking the file. Not
// more: whenever a page was split while the file is smaller than 1 GiB, SQLite searches its whole cache at the commit
// (it numbers pages beyond that for a moment and then drops all such). Readers drop theirs with every commit of
// another.
constexpr int writer_cache_kib = 4 * 1024;
constexpr int reader_cache_kib = 8 * 1024;

void configure_library() {
  static std::once_flag once;
  // Without memory statistics the allocations of different threads share no lock. Too late if someone else in the
  // process has used SQLite already, and then not worth an error.
  std::call_once(once, [] { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); });
}

}  // namespace

Connection::Connection(std::string const& path, Use use) : patience_ms_(lock_patience_ms) {
  configure_library();
  sqlite3* opened = nullptr;
  int const code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  db_.reset(opened);
  if (code != SQLITE_OK) throw_error(opened, code, fmt::format("opening {}", path));
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_handler(opened, &Connection::wait_for_lock, this);

  // Before anything is read: then each connection that others hold, even an idle one, is in the way.
  if (use == Use::alone) execute("PRAGMA locking_mode = EXCLUSIVE");
  // Every commit reaches the disk before it is answered.
  execute("PRAGMA synchronous = FULL");
  execute("PRAGMA foreign_keys = ON");
  execute("PRAGMA temp_store = MEMORY");
  // Debian switches it on; overwriting deleted index entries with zeros protects nothing here.
  execute("PRAGMA secure_delete = OFF");
  // Checkpoints are the checkpointer's work: SQLite's own would stall the commit that happens to cross the mark.
  execute("PRAGMA wal_autocheckpoint = 0");
  execute(fmt::format("PRAGMA cache_size = -{}", use == Use::write ? writer_cache_kib : reader_cache_kib).c_str());
  if (use == Use::read) execute("PRAGMA query_only = ON");
}

void Connection::execute(char const* sql, std::string_view doing) {
  int const code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw_error(handle(), sqlite3_extended_errcode(handle()), doing);
}

Connection::Checkpoint Connection::checkpoint(int mode, int patience_ms) {
  Checkpoint result;
  patience_ms_ = patience_ms;
  int const code = sqlite3_wal_checkpoint_v2(handle(), nullptr, mode, &result.log_frames, &result.copied_frames);
  patience_ms_ = lock_patience_ms;
  result.ok = code == SQLITE_OK;
  return result;
}

int Connection::wait_for_lock(void* self, int tries) {
  // SQLite's own handler sleeps up to 100 ms at a time, many transactions long.
  constexpr int short_waits = 50;
  if (tries >= short_waits + static_cast<Connection*>(self)->patience_ms_) return 0;
  std::this_thread::sleep_for(tries < short_waits ? std::chrono::microseconds(100) : std::chrono::microseconds(1000));
  return 1;
}

}  // namespace payonce::sqlite
