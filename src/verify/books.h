// Everything the database holds about one order.
#pragma once

#include <optional>
#include <vector>

#include "store/archivist.h"

namespace payonce {

struct OrderBooks {
  Order order;
  std::vector<StoredEvent> timeline;  // oldest first
  std::vector<Effect> effects;
  std::vector<NoticeRow> notices;  // that name one of its payments
  std::vector<Posting> journal;
  // When history of it was moved to an archive (payonce archive). Then the older part of the timeline, requests,
  // answers and bodies of notices are there; `is_whole` tells that they were fetched.
  std::optional<Time> archived_at = {};
  bool is_whole = true;
};

// For databases of which `payonce archive` may have moved history away.
struct History {
  Archivist* live = nullptr;  // says of which orders; null: of none
  Reader* archive = nullptr;  // where it is; null: it is not at hand
};

// What belongs to an order that was just read. Each part is read on its own: under a running service they may be of
// different moments.
OrderBooks read_books(Reader& reader, Order order, History history = {});

}  // namespace payonce
