#include "store/sqlite/log_buffer.h"

#include <stdexcept>
#include <type_traits>

namespace payonce::sqlite {

namespace {

// https://www.sqlite.org/fileformat2.html#the_write_ahead_log: a frame is a header and a page. Bytes 4 to 7 of the
// header are the database's size in pages in the last frame of a commit, otherwise zero.
constexpr int frame_header_bytes = 24;
constexpr int size_at = 4;
constexpr int size_bytes = 4;

// A larger commit goes to the file in pieces: SQLite's files take less than 128 KiB at once.
constexpr std::size_t piece_bytes = 60 * 1024;

bool ends_commit(char const* frame_header) {
  for (int i = size_at; i < size_at + size_bytes; ++i)
    if (frame_header[i] != 0) return true;
  return false;
}

}  // namespace

void LogBuffer::attach(sqlite3* connection) {
  static_assert(std::is_standard_layout_v<LogBuffer>, "of() needs methods_ to be where the object is");
  sqlite3_file* log = nullptr;
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (!log || !log->pMethods) throw std::logic_error("the connection has no write-ahead log yet");
  real_ = log->pMethods;
  methods_ = *real_;
  methods_.xClose = close;
  methods_.xRead = read;
  methods_.xWrite = write;
  methods_.xTruncate = truncate;
  methods_.xSync = sync;
  methods_.xFileSize = file_size;
  log->pMethods = &methods_;
}

LogBuffer& LogBuffer::of(sqlite3_file* file) {
  return *reinterpret_cast<LogBuffer*>(const_cast<sqlite3_io_methods*>(file->pMethods));
}

int LogBuffer::close(sqlite3_file* file) {
  LogBuffer& self = of(file);
  self.flush(file);
  file->pMethods = self.real_;
  return self.real_->xClose(file);
}

int LogBuffer::read(sqlite3_file* file, void* into, int bytes, sqlite3_int64 at) {
  if (int const failed = of(file).flush(file)) return failed;
  return of(file).real_->xRead(file, into, bytes, at);
}

int LogBuffer::write(sqlite3_file* file, void const* from, int bytes, sqlite3_int64 at) {
  return of(file).append(file, static_cast<char const*>(from), bytes, at);
}

int LogBuffer::truncate(sqlite3_file* file, sqlite3_int64 bytes) {
  if (int const failed = of(file).flush(file)) return failed;
  of(file).end_ = -1;
  return of(file).real_->xTruncate(file, bytes);
}

int LogBuffer::sync(sqlite3_file* file, int flags) {
  if (int const failed = of(file).flush(file)) return failed;
  return of(file).real_->xSync(file, flags);
}

int LogBuffer::file_size(sqlite3_file* file, sqlite3_int64* bytes) {
  if (int const failed = of(file).flush(file)) return failed;
  return of(file).real_->xFileSize(file, bytes);
}

int LogBuffer::append(sqlite3_file* file, char const* from, int bytes, sqlite3_int64 at) {
  bool const is_header = bytes == frame_header_bytes;
  bool const is_last = !is_header && page_ends_commit_;
  page_ends_commit_ = is_header && ends_commit(from);
  // Elsewhere when the log begins anew.
  if (at != end_)
    if (int const failed = flush(file)) return failed;
  if (pending_.empty()) pending_at_ = at;
  pending_.insert(pending_.end(), from, from + bytes);
  end_ = at + bytes;
  return is_last || pending_.size() >= piece_bytes ? flush(file) : SQLITE_OK;
}

int LogBuffer::flush(sqlite3_file* file) {
  if (pending_.empty()) return SQLITE_OK;
  int const result = real_->xWrite(file, pending_.data(), static_cast<int>(pending_.size()), pending_at_);
  // SQLite writes the whole transaction again after an error.
  pending_.clear();
  return result;
}

}  // namespace payonce::sqlite
