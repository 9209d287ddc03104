// Keeps the write-ahead log short under constant load without a commit ever waiting for a long checkpoint.
//
// Its thread copies the bulk of the log into the database file while the writer goes on. What the writer added
// meanwhile is little; the writer copies that itself between two transactions, and its next one starts the log from the
// beginning. Neither could do it alone: the thread never catches up with a busy writer, and the writer would stall for
// the bulk.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "store/sqlite/connection.h"
#include "store/sqlite/sqlite_store.h"

namespace payonce::sqlite {

class Checkpointer {
 public:
  Checkpointer(std::string const& path, Checkpoints who);
  // Leaves all that is committed in the database file and the log empty, if no other process is at work.
  ~Checkpointer();

  // After a commit: how many frames the log holds now. Writer's thread.
  void log_has_grown(int frames);
  // Between two transactions. Writer's thread.
  void finish(Connection& writer);

 private:
  void run();
  void copy_bulk();

  Connection connection_;  // of the thread
  std::atomic<int> wake_at_frames_;
  std::atomic<bool> rest_is_small_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool wanted_ = false;    // guarded by mutex_
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;     // none when the writer does it all
};

}  // namespace payonce::sqlite
