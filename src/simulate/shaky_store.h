// The real store on a disk in memory, with the failures that a seed asks for: transactions that fail, commits whose
// answer is lost, questions that can't be answered.
#pragma once

#include <memory>
#include <string>

#include "simulate/stage.h"
#include "store/sqlite/memory_disk.h"
#include "store/store.h"

namespace payonce::simulate {

class ShakyStore final : public Store {
 public:
  // All must outlive it.
  ShakyStore(Stage& stage, sqlite::MemoryDisk& disk, std::unique_ptr<Store> real)
      : stage_(stage), disk_(disk), real_(std::move(real)) {}

  Result<void> migrate() override { return real_->migrate(); }
  std::unique_ptr<Writer> open_writer() override;
  std::unique_ptr<Reader> open_reader() override;
  std::size_t writer_lanes() const override { return real_->writer_lanes(); }

  // What this process has committed and not flushed.
  void note_commit() { has_unflushed_ = true; }
  void flush();
  bool is_flushed() const { return !has_unflushed_; }

 private:
  Stage& stage_;
  sqlite::MemoryDisk& disk_;
  std::unique_ptr<Store> real_;
  bool has_unflushed_ = true;  // what a process that died may have left
};

// Where the books of a simulated world lie on its disk.
std::string books_path(sqlite::MemoryDisk const& disk);

}  // namespace payonce::simulate
