// Watches a simulated world: what callers were promised, what leaves for the banks, and what the books, the banks and
// the shop have in the end.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "simulate/bank.h"
#include "simulate/shops.h"
#include "store/sqlite/memory_disk.h"
#include "verify/verify.h"

namespace payonce::simulate {

using Banks = std::map<std::string, std::unique_ptr<Bank>>;

struct Unsettled {
  int order = Chronicle::everyone;
  std::string what;
};

class Judge {
 public:
  // All must outlive it. Opens the books for itself; they must exist.
  Judge(Stage& stage, sqlite::MemoryDisk& disk, Banks const& banks, Shop const& shop);
  ~Judge();

  // The power failed: what it held of the books is void.
  void open_books_again();
  Reader& reader() { return *reader_; }

  // A call is about to leave for a bank, at this time by its node's clock. What it is about must have been committed,
  // and recovery must not be at it yet.
  void inspect_call(ProviderCall const& call, Time now);

  // What a caller was told, at the moment when it was.
  struct Asked {
    std::string key = {};  // of a payment, a refund or a capture
    std::string method = {};
  };
  void hear_answer(int order, Asked const& asked, Answered const& answered);

  // A bank was told that its notice is safe.
  void hear_notice_taken(BankNotice const& notice);

  // The ten invariants over everything there is. What is not settled yet is no fault.
  VerifyReport examine();
  // What still waits for something in the books; nothing once everything has come to its end or to a person.
  std::optional<Unsettled> unsettled();
  // The newest entry of the event feed, and the order that the first entry behind `after` is about, if there is one.
  std::int64_t newest_event();
  std::optional<int> order_changed_since(std::int64_t after);
  // All that was promised stands, and each consequence has reached the shop.
  void examine_promises();

 private:
  struct Promise {
    int order;
    AttemptState state;
  };
  void hear_attempt(int order, Asked const& asked, Attempt const& attempt);
  // A refund or a capture.
  template <class Row>
  void hear_part(int order, Asked const& asked, Row const& row);
  void examine_promise(std::string const& id, Promise const& promise);
  void examine_parts();
  bool has_notice(BankNotice const& notice);
  void examine_dispute(Order const& order, Attempt const& attempt);
  // Adds the order's effects to those known.
  void examine_deliveries(Order const& order, std::set<std::string>& effects);
  template <class Visit>
  void for_each_order(Visit visit);
  BankLedger ledger() const;

  Stage& stage_;
  sqlite::MemoryDisk& disk_;
  Banks const& banks_;
  Shop const& shop_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Reader> reader_;
  VerifyOptions options_;

  std::map<std::string, Promise> attempts_;  // by id
  std::map<std::string, RefundState> refunds_;
  std::map<std::string, CaptureState> captures_;
  std::map<std::string, std::string> holders_;  // of keys
  std::map<int, OrderState> orders_;
  std::vector<BankNotice> notices_;
};

}  // namespace payonce::simulate
