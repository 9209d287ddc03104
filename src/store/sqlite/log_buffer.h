// Gathers what one transaction appends to the write-ahead log and writes it at once: SQLite itself calls the kernel
// twice for each page, which costs a writer a tenth of its time.
// Nothing is put off for longer than that: the last page of a commit takes everything before it to the file, and its
// error is the commit's error, so that no reader is ever told of pages that are not there.
#pragma once

#include <sqlite3.h>

#include <vector>

namespace payonce::sqlite {

class LogBuffer {
 public:
  LogBuffer() = default;
  LogBuffer(LogBuffer const&) = delete;
  LogBuffer& operator=(LogBuffer const&) = delete;

  // Stands between the connection and its log from now on. It must outlive the connection, and the connection must
  // have read something, which opens the log. The connection must not write pages before its commit (cache_spill =
  // OFF).
  void attach(sqlite3* connection);

  // False after every commit. If not, readers have been promised what is not in the file.
  bool holds_pages() const { return !pending_.empty(); }

 private:
  static LogBuffer& of(sqlite3_file* file);
  static int close(sqlite3_file* file);
  static int read(sqlite3_file* file, void* into, int bytes, sqlite3_int64 at);
  static int write(sqlite3_file* file, void const* from, int bytes, sqlite3_int64 at);
  static int truncate(sqlite3_file* file, sqlite3_int64 bytes);
  static int sync(sqlite3_file* file, int flags);
  static int file_size(sqlite3_file* file, sqlite3_int64* bytes);

  int append(sqlite3_file* file, char const* from, int bytes, sqlite3_int64 at);
  int flush(sqlite3_file* file);

  sqlite3_io_methods methods_{};  // first: what SQLite calls tells where this object is
  sqlite3_io_methods const* real_ = nullptr;
  std::vector<char> pending_;
  sqlite3_int64 pending_at_ = 0;
  sqlite3_int64 end_ = -1;         // behind the last byte written or pending
  bool page_ends_commit_ = false;  // so the frame header before it said
};

}  // namespace payonce::sqlite
