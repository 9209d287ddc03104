#include "sandbox/ledger.h"

#include <utility>

namespace payonce::sandbox {

namespace {

constexpr std::size_t calls_kept = 10'000;  // as the ledger's reader is promised; older ones stay in the journal only

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

}  // namespace

Result<std::unique_ptr<Ledger>> Ledger::open(std::string path, BankRules rules, Loop& loop, Random& random) {
  std::unique_ptr<Ledger> ledger{new Ledger(rules, random)};
  bool has_head = false;
  auto journal = Journal::open(std::move(path), loop, [&](std::string_view line) -> Result<void> {
    auto record = parse_line(line);
    if (!record) return std::unexpected(record.error());
    if (std::holds_alternative<JournalHead>(*record) == has_head)
      return fail(ErrorCode::invalid_request, "the head of a sandbox journal must be its first line, and only that");
    has_head = true;
    ledger->restore(std::move(*record));
    return {};
  });
  if (!journal) return std::unexpected(journal.error());
  ledger->journal_ = std::move(*journal);
  if (!has_head) ledger->journal_->append(to_line(JournalHead{}), true);
  return ledger;
}

void Ledger::restore(Record record) {
  std::visit(Overloaded{[](JournalHead&&) {}, [this](Charge&& charge) { bank_.restore(std::move(charge)); },
                        [this](Capture&& capture) { bank_.restore(std::move(capture)); },
                        [this](Refund&& refund) { bank_.restore(std::move(refund)); },
                        [this](BarredNumber&& barred) { bank_.restore(std::move(barred)); },
                        [this](CallRecord&& call) { keep_call(std::move(call)); },
                        [this](NoticeChain&& chain) { unfinished_[chain.id] = std::move(chain); },
                        [this](NoticeEnded&& ended) { unfinished_.erase(ended.id); },
                        [this](Memo&& memo) { memos_[memo.collection][memo.key] = std::move(memo.value); }},
             std::move(record));
}

std::vector<Change> Ledger::commit() {
  std::vector<Change> changes = bank_.take_changes();
  for (Change const& change : changes)
    std::visit([this](auto const& row) { journal_->append(to_line(row), true); }, change.row);
  return changes;
}

void Ledger::keep_call(CallRecord call) {
  calls_.push_back(std::move(call));
  if (calls_.size() > calls_kept) calls_.pop_front();
}

void Ledger::keep(std::string_view collection, std::string_view key, std::string value) {
  Memo memo{std::string{collection}, std::string{key}, std::move(value)};
  journal_->append(to_line(memo), true);
  memos_[memo.collection][memo.key] = std::move(memo.value);
}

std::string const* Ledger::find(std::string_view collection, std::string_view key) const {
  auto const memos = memos_.find(collection);
  if (memos == memos_.end()) return nullptr;
  auto const memo = memos->second.find(key);
  return memo == memos->second.end() ? nullptr : &memo->second;
}

// Calls and notices are no promise to anyone: they go to disk with the next group, and no answer waits for them.
void Ledger::add_call(CallRecord call) {
  journal_->append(to_line(call), false);
  keep_call(std::move(call));
}

void Ledger::add_chain(NoticeChain const& chain) { journal_->append(to_line(chain), false); }

void Ledger::end_chain(std::string_view id) { journal_->append(to_line(NoticeEnded{std::string{id}}), false); }

std::vector<NoticeChain> Ledger::take_unfinished_chains() {
  std::vector<NoticeChain> chains;
  for (auto& [id, chain] : std::exchange(unfinished_, {})) chains.push_back(std::move(chain));
  return chains;
}

}  // namespace payonce::sandbox
