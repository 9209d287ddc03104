// How far the commits of one store are on the disk. The writer commits without waiting for the disk; the syncer flushes
// the write-ahead log for all commits before it at once; readers hold their answers back until what they saw is
// flushed. A log is read back in the order it was written, so that no commit survives a power cut without those before
// it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

#include "store/store.h"

namespace payonce::sqlite {

class Durability {
 public:
  explicit Durability(std::string const& database_path) : log_path_(database_path + "-wal") {}
  ~Durability();
  Durability(Durability const&) = delete;
  Durability& operator=(Durability const&) = delete;

  // Writer's thread, around each commit, also one that fails.
  void commit_begins();
  void commit_ended();
  // Whether all that can be seen is flushed. Any thread.
  bool is_flushed();
  // Any other thread.
  void wait();
  // Flushes the log, unless nothing was committed since the last time. Throws StoreError.
  void flush();

 private:
  std::string const log_path_;
  int log_ = -1;  // opened at the first flush, when a commit has made the file
  std::mutex mutex_;
  std::condition_variable flushed_more_;
  // Guarded by mutex_. A commit can be seen a moment before commit_ended(), hence the two counts.
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t flushed_ = 0;
};

class LogSyncer final : public Syncer {
 public:
  explicit LogSyncer(Durability& durability) : durability_(durability) {}
  void make_durable() override { durability_.flush(); }
  bool is_durable() override { return durability_.is_flushed(); }

 private:
  Durability& durability_;
};

}  // namespace payonce::sqlite
