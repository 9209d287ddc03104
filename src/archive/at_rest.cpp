#include "archive/at_rest.h"

#include <algorithm>

namespace payonce {

namespace {

template <class Row>
bool needs_nobody(Row const& row) {
  if constexpr (requires { row.review; })
    if (!row.review.empty()) return false;
  return !is_watched(row.state) && !row.due_at;
}

// What the provider refused or could not bring to the buyer waits for a person.
bool is_settled(Refund const& refund) {
  return needs_nobody(refund) && refund.state != RefundState::failed && refund.state != RefundState::returned;
}

}  // namespace

bool is_at_rest(ArchivedOrder const& archived, Time before) {
  OrderRecord const& books = archived.books;
  Order const& order = books.order;
  auto const is_old = [&](auto const& row) { return row.updated_at < before; };
  return !order.head.due_at && is_old(order.head) &&
         std::ranges::all_of(order.attempts, [&](Attempt const& it) { return needs_nobody(it) && is_old(it); }) &&
         std::ranges::all_of(order.captures, [&](Capture const& it) { return needs_nobody(it) && is_old(it); }) &&
         std::ranges::all_of(order.refunds, [&](Refund const& it) { return is_settled(it) && is_old(it); }) &&
         std::ranges::all_of(books.events, [&](StoredEvent const& it) { return it.event.at < before; }) &&
         std::ranges::all_of(books.effects, [](Effect const& it) { return it.state == EffectState::delivered; }) &&
         std::ranges::all_of(archived.notices, [&](NoticeRow const& it) {
           return it.disposition != NoticeDisposition::unmatched && it.received_at < before;
         });
}

}  // namespace payonce
