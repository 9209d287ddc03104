// Everything the database holds about one order.
#pragma once

#include <vector>

#include "store/store.h"

namespace payonce {

struct OrderBooks {
  Order order;
  std::vector<StoredEvent> timeline;  // oldest first
  std::vector<Effect> effects;
  std::vector<NoticeRow> notices;  // that name one of its payments
  std::vector<Posting> journal;
};

// What belongs to an order that was just read. Each part is read on its own: under a running service they may be of
// different moments.
OrderBooks read_books(Reader& reader, Order order);

}  // namespace payonce
