#include "store/sqlite/errors.h"

#include <fmt/format.h>

namespace payonce::sqlite {

namespace {

int primary(int code) { return code & 0xff; }

}  // namespace

StoreError::Kind kind_of(int code) {
  using enum StoreError::Kind;
  switch (primary(code)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return conflict;
    case SQLITE_CONSTRAINT:
      switch (code) {
        // Somebody inserted the row first: run again, it will be found.
        case SQLITE_CONSTRAINT_UNIQUE:
        case SQLITE_CONSTRAINT_PRIMARYKEY:
        case SQLITE_CONSTRAINT_ROWID: return conflict;
        default: return refused;
      }
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
    case SQLITE_RANGE: return refused;
    // Disk full, I/O, read-only, can't open, out of memory, corrupt: what was done so far is rolled back.
    default: return unavailable;
  }
}

StoreError::Kind kind_of_commit(int code) {
  using enum StoreError::Kind;
  switch (primary(code)) {
    // The transaction is still open, or its commit record did not fit on the disk.
    case SQLITE_BUSY: return conflict;
    case SQLITE_CONSTRAINT: return refused;
    case SQLITE_FULL: return unavailable;
    // The commit record may be in the log although the call that should make it durable failed.
    default: return in_doubt;
  }
}

void throw_error(sqlite3* db, int code, StoreError::Kind kind, std::string_view doing) {
  char const* const message = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  throw StoreError(kind, fmt::format("SQLite, {}: {} (code {})", doing, message, code));
}

void throw_error(sqlite3* db, int code, std::string_view doing) { throw_error(db, code, kind_of(code), doing); }

}  // namespace payonce::sqlite
