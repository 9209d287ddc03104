#include "simulate/shaky_store.h"

#include <utility>

#include "store/forwarding_reader.h"
#include "store/forwarding_writer.h"

namespace payonce::simulate {

namespace {

class StoreSyncer final : public Syncer {
 public:
  explicit StoreSyncer(ShakyStore& store) : store_(store) {}
  void make_durable() override { store_.flush(); }
  bool is_durable() override { return store_.is_flushed(); }

 private:
  ShakyStore& store_;
};

class ShakyWriter final : public ForwardingWriter {
 public:
  ShakyWriter(Stage& stage, ShakyStore& store, std::unique_ptr<Writer> real)
      : ForwardingWriter(*real), stage_(stage), store_(store), real_(std::move(real)) {}

  void commit() override {
    Random& chance = stage_.chance;
    if (stage_.happens(Trouble::commit_fails, chance)) {
      using enum StoreError::Kind;
      constexpr StoreError::Kind kinds[] = {conflict, in_doubt, unavailable};
      real_->rollback();
      throw StoreError(kinds[chance.below(3)], "simulated: the commit fails");
    }
    ForwardingWriter::commit();
    store_.note_commit();
    if (stage_.happens(Trouble::commit_answer_lost, chance))
      throw StoreError(StoreError::Kind::in_doubt, "simulated: the commit's answer is lost");
  }

  std::unique_ptr<Syncer> defer_durability() override {
    if (!stage_.plan.defers_durability || !ForwardingWriter::defer_durability()) return nullptr;
    return std::make_unique<StoreSyncer>(store_);
  }

 private:
  Stage& stage_;
  ShakyStore& store_;
  std::unique_ptr<Writer> real_;
};

class ShakyReader final : public ForwardingReader {
 public:
  ShakyReader(Stage& stage, ShakyStore& store, std::unique_ptr<Reader> real)
      : ForwardingReader(*real), stage_(stage), store_(store), real_(std::move(real)) {}

  // On one thread nobody else can do it meanwhile.
  void wait_until_durable() override { store_.flush(); }

  std::vector<FoundAttempt> find_attempts(std::span<AttemptId const> ids) override {
    may_fail();
    return ForwardingReader::find_attempts(ids);
  }
  std::vector<DueAttempt> due_attempts(Time now, std::size_t limit) override {
    may_fail();
    return ForwardingReader::due_attempts(now, limit);
  }
  std::vector<NoticeRow> due_notices(Time now, std::size_t limit) override {
    may_fail();
    return ForwardingReader::due_notices(now, limit);
  }

 private:
  void may_fail() {
    if (stage_.happens(Trouble::read_fails, stage_.chance))
      throw StoreError(StoreError::Kind::unavailable, "simulated: the read fails");
  }

  Stage& stage_;
  ShakyStore& store_;
  std::unique_ptr<Reader> real_;
};

}  // namespace

std::unique_ptr<Writer> ShakyStore::open_writer() {
  return std::make_unique<ShakyWriter>(stage_, *this, real_->open_writer());
}

std::unique_ptr<Reader> ShakyStore::open_reader() {
  return std::make_unique<ShakyReader>(stage_, *this, real_->open_reader());
}

void ShakyStore::flush() {
  if (std::exchange(has_unflushed_, false)) disk_.sync(books_path(disk_) + "-wal");
}

std::string books_path(sqlite::MemoryDisk const& disk) { return disk.folder() + "/books.db"; }

}  // namespace payonce::simulate
