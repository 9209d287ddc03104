#include "verify/books.h"

#include <iterator>
#include <utility>

namespace payonce {

namespace {

std::vector<NoticeRow> notices_of(Reader& reader, Order const& order) {
  std::vector<NoticeRow> all;
  for (Attempt const& attempt : order.attempts) {
    auto notices = reader.notices_of(attempt.id);
    all.insert(all.end(), std::make_move_iterator(notices.begin()), std::make_move_iterator(notices.end()));
  }
  return all;
}

// Gives the books the part that the archive keeps; false if it has none of it.
bool complete(OrderBooks& books, Reader& archive) {
  OrderKey const& key = books.order.head.key;
  auto const kept = archive.find_order(key);
  if (!kept) return false;
  fill_in(books.order, *kept);
  fill_in(books.notices, notices_of(archive, *kept));
  books.timeline = joined(std::move(books.timeline), archive.timeline(key));
  return true;
}

}  // namespace

OrderBooks read_books(Reader& reader, Order order, History history) {
  OrderBooks books{std::move(order), {}, {}, {}, {}};
  OrderKey const& key = books.order.head.key;
  books.timeline = reader.timeline(key);
  books.effects = reader.effects_of(key);
  books.journal = reader.journal_of(key);
  books.notices = notices_of(reader, books.order);
  if (history.live) books.archived_at = history.live->archived_at(key);
  if (books.archived_at) books.is_whole = history.archive && complete(books, *history.archive);
  return books;
}

}  // namespace payonce
