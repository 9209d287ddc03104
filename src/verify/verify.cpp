#include "verify/verify.h"

#include <iterator>
#include <unordered_map>
#include <utility>

namespace payonce {

namespace {

constexpr std::size_t page = 256;
// A violation in the books stays; what was only a change between two reads is gone after a few more.
constexpr int reads_max = 4;

void append(std::vector<Finding>& all, std::vector<Finding>&& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

class Verification {
 public:
  Verification(Reader& reader, VerifyOptions const& options) : reader_(reader), options_(options) {}

  VerifyReport run() {
    OrderKey last;
    for (auto orders = reader_.orders_after(last, page); !orders.empty(); orders = reader_.orders_after(last, page)) {
      last = orders.back().head.key;
      for (Order& order : orders) check(std::move(order));
    }
    if (options_.bank) check_strange_charges();
    return std::move(report_);
  }

 private:
  void check(Order order) {
    OrderKey const key = order.head.key;
    OrderBooks books = read_books(reader_, std::move(order), options_.history);
    Findings findings = check_order(books, options_);
    for (int reads = 1; reads < reads_max && !findings.violations.empty(); ++reads) {
      auto again = reader_.find_order(key);
      if (!again) break;
      books = read_books(reader_, std::move(*again), options_.history);
      findings = check_order(books, options_);
    }
    check_keys(books.order, findings);
    count(books);
    append(report_.violations, std::move(findings.violations));
    append(report_.open, std::move(findings.open));
  }

  // Orders come sorted by merchant, so that the keys of one merchant are all there is to remember.
  void check_keys(Order const& order, Findings& findings) {
    if (order.head.key.merchant != merchant_) keys_.clear();
    merchant_ = order.head.key.merchant;
    auto const check_key = [&](std::string const& key, std::string const& holder) {
      auto const [at, is_new] = keys_.emplace(key, holder);
      findings.require(is_new, 10, holder, "has the key of {}", at->second);
    };
    for (Attempt const& attempt : order.attempts) check_key(attempt.key, attempt.id.value);
    for (Capture const& capture : order.captures)
      if (!capture.key.empty()) check_key(capture.key, capture.id.value);
    for (Refund const& refund : order.refunds)
      if (!refund.key.empty()) check_key(refund.key, refund.id.value);
  }

  void count(OrderBooks const& books) {
    ++report_.orders;
    report_.payments += books.order.attempts.size();
    report_.refunds += books.order.refunds.size();
    report_.effects += books.effects.size();
    report_.events += books.timeline.size();
    report_.notices += books.notices.size();
    report_.archived += books.archived_at.has_value();
    report_.history_unread += !books.is_whole;
    if (options_.bank)
      for (Attempt const& attempt : books.order.attempts)
        if (options_.bank->charges.contains(attempt.id.value)) known_at_bank_.insert(attempt.id.value);
  }

  // The ledger was read before the books, so that whatever it holds must be in them.
  void check_strange_charges() {
    for (auto const& [number, charges] : options_.bank->charges) {
      if (known_at_bank_.contains(number)) continue;
      Findings findings{OrderKey{MerchantId{}, OrderId{charges.front().order}}};
      findings.require(false, 3, number, "was charged at the bank and is not in the books");
      append(report_.violations, std::move(findings.violations));
    }
  }

  Reader& reader_;
  VerifyOptions const& options_;
  VerifyReport report_;
  MerchantId merchant_;
  std::unordered_map<std::string, std::string> keys_;  // and who has them
  std::set<std::string> known_at_bank_;
};

}  // namespace

Findings check_order(OrderBooks const& books, VerifyOptions const& options) {
  OrderKey const& key = books.order.head.key;
  Findings findings{key};
  auto const expected = options.effects.find(key.merchant);
  findings.require(books.is_whole || !options.history.archive, 9, "",
                   "its history was moved to an archive, and not to this one");
  check_rows(books, findings);
  check_timeline(books, findings);
  check_consequences(books, expected == options.effects.end() ? std::vector<EffectSettings>{} : expected->second,
                     findings);
  check_journal(books, findings);
  if (options.bank) check_at_bank(books, *options.bank, options.bank_providers, findings);
  return findings;
}

VerifyReport verify(Reader& reader, VerifyOptions const& options) { return Verification{reader, options}.run(); }

}  // namespace payonce
