#include "store/archivist.h"

#include <algorithm>
#include <tuple>

namespace payonce {

namespace {

template <class Row>
void restore(Row& row, Row const* kept) {
  if (!kept) return;
  if (row.request.empty()) row.request = kept->request;
  if (row.answer.empty()) row.answer = kept->answer;
}

template <class Rows, class Row>
bool has_notice(Rows const& rows, Row const& notice) {
  return std::ranges::any_of(
      rows, [&](NoticeRow const& it) { return it.provider == notice.provider && it.event_id == notice.event_id; });
}

bool has_event(std::vector<StoredEvent> const& events, StoredEvent const& event) {
  return std::ranges::find(events, event.sequence, &StoredEvent::sequence) != events.end();
}

bool has_effect(std::vector<Effect> const& effects, Effect const& effect) {
  return std::ranges::find(effects, effect.id(), &Effect::id) != effects.end();
}

}  // namespace

void Addition::add(ArchivedOrder const& now, ArchivedOrder const* kept) {
  Order order = now.books.order;
  Order const none{order.head, {}, {}, {}};
  Order const& old = kept ? kept->books.order : none;
  fill_in(order, old);
  OrderKey const& key = order.head.key;
  rows.heads.push_back({order.head, !kept});
  for (Attempt& it : order.attempts) {
    bool const is_new = !old.find(it.id);
    rows.attempts.push_back({key, std::move(it), is_new, order.head.policy});
  }
  for (Refund& it : order.refunds) {
    bool const is_new = !old.find(it.id);
    rows.refunds.push_back({key, std::move(it), is_new});
  }
  for (Capture& it : order.captures) {
    bool const is_new = !old.find(it.id);
    rows.captures.push_back({key, std::move(it), is_new});
  }
  for (Effect const& it : now.books.effects)
    if (!kept || !has_effect(kept->books.effects, it)) rows.effects.push_back(it);
  for (NoticeRow const& it : now.notices)
    if (!kept || !has_notice(kept->notices, it)) rows.notices.push_back({it, true});
  for (StoredEvent const& it : now.books.events)
    if (!kept || !has_event(kept->books.events, it)) events.push_back(it);
  // The journal only grows.
  std::size_t const written = kept ? std::min(kept->books.journal.size(), now.books.journal.size()) : 0;
  rows.postings.insert(rows.postings.end(), now.books.journal.begin() + static_cast<std::ptrdiff_t>(written),
                       now.books.journal.end());
}

void fill_in(Order& order, Order const& kept) {
  for (Attempt& it : order.attempts) restore(it, kept.find(it.id));
  for (Refund& it : order.refunds) restore(it, kept.find(it.id));
  for (Capture& it : order.captures) restore(it, kept.find(it.id));
}

void fill_in(std::vector<NoticeRow>& notices, std::vector<NoticeRow> const& kept) {
  for (NoticeRow& it : notices)
    for (NoticeRow const& old : kept) {
      if (std::tie(it.provider, it.event_id) != std::tie(old.provider, old.event_id)) continue;
      if (it.body.empty()) it.body = old.body;
      if (it.answer.text.empty()) it.answer.text = old.answer.text;
    }
}

std::vector<StoredEvent> joined(std::vector<StoredEvent> here, std::vector<StoredEvent> const& kept) {
  for (StoredEvent const& it : kept)
    if (!has_event(here, it)) here.push_back(it);
  std::ranges::sort(here, {}, &StoredEvent::sequence);
  return here;
}

}  // namespace payonce
