#include "verify/books.h"

#include <iterator>
#include <utility>

namespace payonce {

OrderBooks read_books(Reader& reader, Order order) {
  OrderBooks books{std::move(order), {}, {}, {}, {}};
  OrderKey const& key = books.order.head.key;
  books.timeline = reader.timeline(key);
  books.effects = reader.effects_of(key);
  books.journal = reader.journal_of(key);
  for (Attempt const& attempt : books.order.attempts) {
    auto notices = reader.notices_of(attempt.id);
    books.notices.insert(books.notices.end(), std::make_move_iterator(notices.begin()),
                         std::make_move_iterator(notices.end()));
  }
  return books;
}

}  // namespace payonce
