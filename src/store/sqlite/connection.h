// One open connection to the database file, for one thread at a time, with the settings that all of ours share.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>

#include "store/sqlite/errors.h"

namespace payonce::sqlite {

class Connection {
 public:
  // `alone`: nobody else has the file open, and nobody gets it while this connection lives.
  enum class Use { write, read, checkpoint, alone };

  // Opens an existing file. Throws StoreError (unavailable) if that fails; conflict if it can't be had alone.
  Connection(std::string const& path, Use use);

  Connection(Connection const&) = delete;
  Connection& operator=(Connection const&) = delete;

  sqlite3* handle() const { return db_.get(); }

  // Runs statements that return no rows; `doing` names them in errors.
  void execute(char const* sql, std::string_view doing);
  void execute(char const* sql) { execute(sql, sql); }

  // Whether a transaction is open.
  bool in_transaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }

  struct Checkpoint {
    bool ok = false;        // false: another one was running, or a reader or writer was in the way
    int log_frames = 0;     // in the write-ahead log
    int copied_frames = 0;  // of these, already in the database file
    int rest() const { return log_frames - copied_frames; }
  };
  // SQLITE_CHECKPOINT_PASSIVE, _RESTART or _TRUNCATE; waits for others no longer than `patience_ms`.
  Checkpoint checkpoint(int mode, int patience_ms);

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };

  static int wait_for_lock(void* self, int tries);

  std::unique_ptr<sqlite3, Close> db_;
  int patience_ms_;
};

}  // namespace payonce::sqlite
