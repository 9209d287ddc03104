#include "store/sqlite/memory_disk.h"

#include <sqlite3.h>

#include <map>
#include <new>
#include <stdexcept>
#include <utility>

#include "store/sqlite/memory_file.h"

namespace payonce::sqlite {

struct MemoryDisk::State {
  std::string folder;
  Process process = 0;
  std::map<std::string, std::shared_ptr<MemoryFile>, std::less<>> files;
  sqlite3_vfs vfs{};
  sqlite3_vfs* real = nullptr;  // of all other files
};

namespace {

// An open file. SQLite gives the memory and sees its first member alone.
struct Handle {
  sqlite3_file base;
  std::shared_ptr<MemoryFile> file;
  std::shared_ptr<MemoryFile::Regions> regions;
  FileHolder holder;
};

Handle& handle_of(sqlite3_file* file) { return *reinterpret_cast<Handle*>(file); }

int close_file(sqlite3_file* file) {
  Handle& handle = handle_of(file);
  handle.file->remove(&handle.holder);
  handle.~Handle();
  return SQLITE_OK;
}

int read_file(sqlite3_file* file, void* into, int bytes, sqlite3_int64 at) {
  Handle& handle = handle_of(file);
  if (handle.holder.is_dead) return SQLITE_IOERR_READ;
  bool const is_whole = handle.file->read(into, static_cast<std::size_t>(bytes), static_cast<std::size_t>(at));
  return is_whole ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int write_file(sqlite3_file* file, void const* from, int bytes, sqlite3_int64 at) {
  Handle& handle = handle_of(file);
  if (handle.holder.is_dead) return SQLITE_IOERR_WRITE;
  handle.file->write(from, static_cast<std::size_t>(bytes), static_cast<std::size_t>(at));
  return SQLITE_OK;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 bytes) {
  Handle& handle = handle_of(file);
  if (handle.holder.is_dead) return SQLITE_IOERR_TRUNCATE;
  handle.file->truncate(static_cast<std::size_t>(bytes));
  return SQLITE_OK;
}

int sync_file(sqlite3_file* file, int) {
  Handle& handle = handle_of(file);
  if (handle.holder.is_dead) return SQLITE_IOERR_FSYNC;
  handle.file->sync();
  return SQLITE_OK;
}

int file_size(sqlite3_file* file, sqlite3_int64* bytes) {
  *bytes = static_cast<sqlite3_int64>(handle_of(file).file->size());
  return SQLITE_OK;
}

int lock_file(sqlite3_file* file, int level) {
  Handle& handle = handle_of(file);
  if (handle.holder.is_dead) return SQLITE_IOERR_LOCK;
  return handle.file->lock(handle.holder, level) ? SQLITE_OK : SQLITE_BUSY;
}

int unlock_file(sqlite3_file* file, int level) {
  handle_of(file).holder.level = level;
  return SQLITE_OK;
}

int check_reserved(sqlite3_file* file, int* is_reserved) {
  *is_reserved = handle_of(file).file->is_reserved() ? 1 : 0;
  return SQLITE_OK;
}

int file_control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int sector_size(sqlite3_file*) { return 4096; }
// As on the real disks: a torn write harms no bytes beside it.
int characteristics(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

int map_memory(sqlite3_file* file, int region, int, int extend, void volatile** out) {
  Handle& handle = handle_of(file);
  if (handle.holder.is_dead) return SQLITE_IOERR_SHMMAP;
  if (!handle.regions) handle.regions = handle.file->shared_memory();
  auto const index = static_cast<std::size_t>(region);
  *out = nullptr;
  if (index >= handle.regions->size() && extend == 0) return SQLITE_OK;
  while (handle.regions->size() <= index) handle.regions->push_back(std::make_unique<MemoryFile::Region>());
  *out = (*handle.regions)[index]->data();
  return SQLITE_OK;
}

int lock_memory(sqlite3_file* file, int first, int count, int flags) {
  Handle& handle = handle_of(file);
  if (handle.holder.is_dead) return SQLITE_IOERR_SHMLOCK;
  unsigned const mask = ((1U << count) - 1U) << first;
  if ((flags & SQLITE_SHM_UNLOCK) != 0) {
    handle.holder.shared_slots &= ~mask;
    handle.holder.exclusive_slots &= ~mask;
    return SQLITE_OK;
  }
  bool const is_free = handle.file->lock_slots(handle.holder, mask, (flags & SQLITE_SHM_EXCLUSIVE) != 0);
  return is_free ? SQLITE_OK : SQLITE_BUSY;
}

void order_memory(sqlite3_file*) {}

int unmap_memory(sqlite3_file* file, int) {
  handle_of(file).regions.reset();
  return SQLITE_OK;
}

sqlite3_io_methods const methods{
    2,           close_file,   read_file,      write_file,   truncate_file, sync_file,       file_size,
    lock_file,   unlock_file,  check_reserved, file_control, sector_size,   characteristics, map_memory,
    lock_memory, order_memory, unmap_memory,   nullptr,      nullptr};

MemoryDisk* active = nullptr;

}  // namespace

MemoryDisk::MemoryDisk(std::string folder) : state_(std::make_unique<State>()) {
  if (std::exchange(active, this)) throw std::logic_error("there is a memory disk already");
  // As SQLite spells paths, so that ours are found.
  while (folder.ends_with('/')) folder.pop_back();
  state_->folder = std::move(folder);
  state_->real = sqlite3_vfs_find(nullptr);
  sqlite3_vfs& vfs = state_->vfs = *state_->real;
  vfs.zName = "payonce-memory";
  vfs.szOsFile = std::max(vfs.szOsFile, static_cast<int>(sizeof(Handle)));
  // The default methods of the real one use this for themselves, and find ours by `active`.
  vfs.pNext = nullptr;
  vfs.xOpen = [](sqlite3_vfs*, char const* name, sqlite3_file* file, int flags, int* out_flags) {
    State& disk = *active->state_;
    if (!name || !std::string_view{name}.starts_with(disk.folder))
      return disk.real->xOpen(disk.real, name, file, flags, out_flags);
    auto& entry = disk.files[name];
    if (!entry) entry = std::make_shared<MemoryFile>();
    auto* const handle = new (file) Handle{{&methods}, entry, nullptr, {}};
    handle->holder.process = disk.process;
    entry->add(&handle->holder);
    if (out_flags) *out_flags = flags;
    return SQLITE_OK;
  };
  vfs.xDelete = [](sqlite3_vfs*, char const* name, int sync_folder) {
    State& disk = *active->state_;
    if (!std::string_view{name}.starts_with(disk.folder)) return disk.real->xDelete(disk.real, name, sync_folder);
    disk.files.erase(name);
    return SQLITE_OK;
  };
  vfs.xAccess = [](sqlite3_vfs*, char const* name, int flags, int* result) {
    State& disk = *active->state_;
    if (!std::string_view{name}.starts_with(disk.folder)) return disk.real->xAccess(disk.real, name, flags, result);
    auto const at = disk.files.find(std::string_view{name});
    *result = at != disk.files.end() && at->second->size() > 0 ? 1 : 0;
    return SQLITE_OK;
  };
  sqlite3_vfs_register(&vfs, 1);
}

MemoryDisk::~MemoryDisk() {
  sqlite3_vfs_unregister(&state_->vfs);
  sqlite3_vfs_register(state_->real, 1);
  active = nullptr;
}

std::string const& MemoryDisk::folder() const { return state_->folder; }
void MemoryDisk::run_as(Process process) { state_->process = process; }

void MemoryDisk::kill(Process process) {
  for (auto const& [path, file] : state_->files)
    for (FileHolder* holder : file->holders())
      if (holder->process == process) *holder = {.process = process, .is_dead = true};
}

void MemoryDisk::lose_power(Random& random) {
  for (auto const& [path, file] : state_->files) {
    for (FileHolder* holder : file->holders()) *holder = {.process = holder->process, .is_dead = true};
    file->lose_power(random);
  }
}

void MemoryDisk::sync(std::string_view path) {
  auto const at = state_->files.find(path);
  if (at == state_->files.end()) throw std::logic_error("memory disk: there is no file " + std::string{path});
  at->second->sync();
}

}  // namespace payonce::sqlite
