// The bank's memory as a whole: the bank, the calls it got and the notices it owes, each change written to the journal.
// Not for: what a change means (bank.h) or the file (journal.h).
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "base/random.h"
#include "sandbox/bank.h"
#include "sandbox/journal.h"
#include "sandbox/record.h"

namespace payonce::sandbox {

class Ledger {
 public:
  // Reads the journal at `path` (empty: a ledger without memory). Errors as of Journal::open.
  static Result<std::unique_ptr<Ledger>> open(std::string path, BankRules rules, Loop& loop, Random& random);

  Bank& bank() { return bank_; }
  Bank const& bank() const { return bank_; }

  // Writes what the bank changed, and gives it back.
  std::vector<Change> commit();

  // Keeps the value under the key, in place of what was there; durable with what the bank changes beside it.
  void keep(std::string_view collection, std::string_view key, std::string value);
  // Valid until the next keep(); null if there is none.
  std::string const* find(std::string_view collection, std::string_view key) const;

  void add_call(CallRecord call);
  void add_chain(NoticeChain const& chain);
  void end_chain(std::string_view id);

  // As of Journal.
  void when_durable(Task task) { journal_->when_durable(std::move(task)); }
  void on_failure(Journal::OnFailure on_failure) { journal_->on_failure(std::move(on_failure)); }

  std::deque<CallRecord> const& last_calls() const { return calls_; }  // oldest first
  // The chains that the process before this one did not finish, oldest first; gives them once.
  std::vector<NoticeChain> take_unfinished_chains();

 private:
  Ledger(BankRules rules, Random& random) : bank_(rules, random) {}
  void restore(Record record);
  void keep_call(CallRecord call);

  Bank bank_;
  std::deque<CallRecord> calls_;
  std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> memos_;  // by collection and key
  std::map<std::string, NoticeChain, std::less<>> unfinished_;  // by id, which sorts by time
  std::unique_ptr<Journal> journal_;
};

}  // namespace payonce::sandbox
