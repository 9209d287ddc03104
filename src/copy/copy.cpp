#include "copy/copy.h"

#include <algorithm>
#include <iterator>

#include "copy/describe.h"

namespace payonce {

namespace {

// A page is one write and a few reads; rows hold requests and answers of some kilobytes.
constexpr std::size_t page = 256;

struct OrderPages {
  Archive& archive;
  OrderKey last;
  std::vector<OrderRecord> next() {
    auto rows = archive.orders_after(last, page);
    if (!rows.empty()) last = rows.back().order.head.key;
    return rows;
  }
};

struct NoticePages {
  Archive& archive;
  NoticeId last;
  std::vector<NoticeRow> next() {
    auto rows = archive.notices_after(last, page);
    if (!rows.empty()) last = {rows.back().provider, rows.back().event_id};
    return rows;
  }
};

struct StatementPages {
  Archive& archive;
  StatementId last;
  std::vector<StatementRow> next() {
    auto rows = archive.statements_after(last, page);
    if (!rows.empty()) last = {rows.back().provider, rows.back().day};
    return rows;
  }
};

struct DiscrepancyPages {
  Archive& archive;
  DiscrepancyKey last;
  std::vector<Discrepancy> next() {
    auto rows = archive.discrepancies_after(last, page);
    if (!rows.empty()) last = {rows.back().merchant, rows.back().id};
    return rows;
  }
};

struct AuditPages {
  Archive& archive;
  MerchantId merchant;
  std::int64_t sequence = 0;
  std::vector<StoredAudit> next() {
    auto rows = archive.audit_after(merchant, sequence, page);
    if (!rows.empty()) {
      merchant = rows.back().row.merchant;
      sequence = rows.back().sequence;
    }
    return rows;
  }
};

void count(RowCounts& counts, OrderRecord const& it) {
  ++counts.orders;
  counts.payments += std::ssize(it.order.attempts);
  counts.captures += std::ssize(it.order.captures);
  counts.refunds += std::ssize(it.order.refunds);
  counts.events += std::ssize(it.events);
  counts.effects += std::ssize(it.effects);
}

// Rows of one kind from both sides, page by page; each side may be at another place of its page.
template <class Pages>
class Lines {
 public:
  explicit Lines(Pages pages) : pages_(std::move(pages)) {}
  // Null behind the last.
  auto const* next() {
    if (at_ == rows_.size()) {
      rows_ = pages_.next();
      at_ = 0;
    }
    return at_ < rows_.size() ? &rows_[at_++] : nullptr;
  }

 private:
  Pages pages_;
  decltype(std::declval<Pages&>().next()) rows_;
  std::size_t at_ = 0;
};

class Comparing {
 public:
  explicit Comparing(Comparison& result) : result_(result) {}

  void rows(std::vector<DescribedRow> const& from, std::vector<DescribedRow> const& to) {
    for (std::size_t i = 0; i < std::max(from.size(), to.size()) && !is_full(); ++i) {
      if (i >= to.size())
        note(std::string{from[i].table} + ": " + from[i].name + " is missing");
      else if (i >= from.size())
        note(std::string{to[i].table} + ": " + to[i].name + " is too much");
      else
        note(difference(from[i], to[i], result_.mended));
    }
  }

  // `rows_of` gives all the rows of one line.
  template <class Pages, class RowsOf, class Count>
  void all(Pages source, Pages target, RowsOf rows_of, Count count_one) {
    Lines<Pages> from{std::move(source)};
    Lines<Pages> to{std::move(target)};
    while (!is_full()) {
      auto const* const ours = from.next();
      auto const* const theirs = to.next();
      if (!ours && !theirs) return;
      if (ours) count_one(*ours);
      rows(ours ? rows_of(*ours) : std::vector<DescribedRow>{},
           theirs ? rows_of(*theirs) : std::vector<DescribedRow>{});
    }
  }

 private:
  bool is_full() const { return result_.differences.size() >= Comparison::differences_max; }
  void note(std::string sentence) {
    if (!sentence.empty()) result_.differences.push_back(std::move(sentence));
  }

  Comparison& result_;
};

std::vector<DescribedRow> rows_of_order(OrderRecord const& it) {
  OrderKey const& key = it.order.head.key;
  std::vector<DescribedRow> rows{describe(it.order.head)};
  if (it.archived_at) rows.push_back(describe_archived(key, *it.archived_at));
  for (Attempt const& attempt : it.order.attempts) rows.push_back(describe(key, attempt));
  for (Capture const& capture : it.order.captures) rows.push_back(describe(key, capture));
  for (Refund const& refund : it.order.refunds) rows.push_back(describe(key, refund));
  for (StoredEvent const& event : it.events) rows.push_back(describe(event));
  for (Effect const& effect : it.effects) rows.push_back(describe(effect));
  for (Posting const& posting : it.journal) rows.push_back(describe(posting));
  return rows;
}

// All rows of these pages; how many they were.
template <class Pages>
std::int64_t copy_all(Pages pages, Archive& target) {
  std::int64_t count = 0;
  for (auto rows = pages.next(); !rows.empty(); rows = pages.next()) {
    target.insert(rows);
    count += std::ssize(rows);
  }
  return count;
}

}  // namespace

bool is_empty(Archive& archive) {
  return archive.orders_after({}, 1).empty() && archive.notices_after({}, 1).empty() && archive.api_keys().empty() &&
         archive.audit_after({}, 0, 1).empty() && archive.statements_after({}, 1).empty();
}

RowCounts copy_books(Archive& source, Archive& target) {
  RowCounts counts;
  OrderPages orders{source, {}};
  for (auto rows = orders.next(); !rows.empty(); rows = orders.next()) {
    target.insert(rows);
    for (OrderRecord const& it : rows) count(counts, it);
  }
  counts.notices = copy_all(NoticePages{source, {}}, target);
  counts.statements = copy_all(StatementPages{source, {}}, target);
  counts.discrepancies = copy_all(DiscrepancyPages{source, {}}, target);
  auto const keys = source.api_keys();
  target.insert(keys);
  counts.api_keys = std::ssize(keys);
  counts.audit_rows = copy_all(AuditPages{source, {}, 0}, target);
  target.commit();
  return counts;
}

Comparison compare_books(Archive& source, Archive& target) {
  Comparison result;
  RowCounts& counts = result.counts;
  Comparing comparing{result};
  comparing.all(OrderPages{source, {}}, OrderPages{target, {}}, rows_of_order,
                [&](OrderRecord const& it) { count(counts, it); });
  comparing.all(
      NoticePages{source, {}}, NoticePages{target, {}}, [](NoticeRow const& it) { return std::vector{describe(it)}; },
      [&](NoticeRow const&) { ++counts.notices; });
  comparing.all(
      StatementPages{source, {}}, StatementPages{target, {}},
      [](StatementRow const& it) { return std::vector{describe(it)}; },
      [&](StatementRow const&) { ++counts.statements; });
  comparing.all(
      DiscrepancyPages{source, {}}, DiscrepancyPages{target, {}},
      [](Discrepancy const& it) { return std::vector{describe(it)}; },
      [&](Discrepancy const&) { ++counts.discrepancies; });
  comparing.all(
      AuditPages{source, {}}, AuditPages{target, {}},
      [](StoredAudit const& it) { return std::vector{describe(it.row)}; },
      [&](StoredAudit const&) { ++counts.audit_rows; });
  auto const described = [](std::vector<ApiKeyRow> const& keys) {
    std::vector<DescribedRow> rows;
    std::ranges::transform(keys, std::back_inserter(rows), [](ApiKeyRow const& it) { return describe(it); });
    return rows;
  };
  auto const keys = source.api_keys();
  counts.api_keys = std::ssize(keys);
  comparing.rows(described(keys), described(target.api_keys()));
  return result;
}

}  // namespace payonce
