// A row as a list of its fields, for comparing two databases: every field has a name, so that a difference can be told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/archive.h"

namespace payonce {

struct DescribedField {
  std::string_view name;
  std::string value;
  // A text of a peer or for people, which may hold bytes that one of the databases can't keep in a text.
  bool is_words = false;
};

struct DescribedRow {
  std::string_view table;
  std::string name;  // which row it is, for people
  std::vector<DescribedField> fields;
};

DescribedRow describe(OrderHead const& it);
DescribedRow describe_archived(OrderKey const& key, Time at);
DescribedRow describe(OrderKey const& key, Attempt const& it);
DescribedRow describe(OrderKey const& key, Capture const& it);
DescribedRow describe(OrderKey const& key, Refund const& it);
DescribedRow describe(StoredEvent const& it);
DescribedRow describe(Effect const& it);
DescribedRow describe(Posting const& it);
DescribedRow describe(NoticeRow const& it);
DescribedRow describe(StatementRow const& it);
DescribedRow describe(Discrepancy const& it);
DescribedRow describe(ApiKeyRow const& it);
DescribedRow describe(AuditRow const& it);

// How the second row differs from the first: a sentence, or empty. A text whose bytes became U+FFFD where the second
// database could not keep them is no difference; it is counted in `mended`.
std::string difference(DescribedRow const& from, DescribedRow const& to, std::size_t& mended);

}  // namespace payonce
