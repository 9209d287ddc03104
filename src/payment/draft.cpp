#include "payment/draft.h"

#include <algorithm>
#include <stdexcept>

namespace payonce {

namespace {

// A row that the caller has just seen; its absence is a bug of ours, never input.
template <class Rows, class Id>
auto& existing(Rows& rows, Id const& id) {
  for (auto& row : rows)
    if (row.id == id) return row;
  throw std::logic_error("draft: no row " + id.value);
}

template <class Touched, class Id>
bool is_among(Touched const& touched, Id const& id) {
  return std::ranges::any_of(touched, [&](auto const& it) { return it.first == id; });
}

template <class Touched, class Id, class Before>
void touch(Touched& touched, Id const& id, Before before) {
  if (!is_among(touched, id)) touched.emplace_back(id, before);
}

// Those of the rows that were touched, taken out of the draft.
template <class Rows, class Touched>
void move_touched(Rows& rows, Touched const& touched, Rows& into) {
  for (auto& row : rows)
    if (is_among(touched, row.id)) into.push_back(std::move(row));
}

}  // namespace

OrderHead& Draft::change_head() {
  head_touched_ = true;
  order_.head.updated_at = now_;
  return order_.head;
}

Attempt& Draft::change(AttemptId const& id) {
  Attempt& attempt = existing(order_.attempts, id);
  touch(attempts_touched_, id, Stood{attempt.state, came_minor(attempt)});
  attempt.updated_at = now_;
  return attempt;
}

Refund& Draft::change(RefundId const& id) {
  Refund& refund = existing(order_.refunds, id);
  touch(refunds_touched_, id, refund.state);
  refund.updated_at = now_;
  return refund;
}

Capture& Draft::change(CaptureId const& id) {
  Capture& capture = existing(order_.captures, id);
  touch(captures_touched_, id, capture.state);
  capture.updated_at = now_;
  return capture;
}

Attempt& Draft::add(Attempt attempt) {
  attempt.created_at = attempt.updated_at = now_;
  attempts_touched_.emplace_back(attempt.id, Stood{});
  return order_.attempts.emplace_back(std::move(attempt));
}

Refund& Draft::add(Refund refund) {
  refund.created_at = refund.updated_at = now_;
  refunds_touched_.emplace_back(refund.id, RefundState::processing);
  return order_.refunds.emplace_back(std::move(refund));
}

Capture& Draft::add(Capture capture) {
  capture.created_at = capture.updated_at = now_;
  captures_touched_.emplace_back(capture.id, CaptureState::processing);
  return order_.captures.emplace_back(std::move(capture));
}

TimelineEvent& Draft::note(std::string_view type, std::string text) {
  TimelineEvent event;
  event.key = order_.head.key;
  event.type = type;
  event.text = std::move(text);
  event.at = now_;
  return events_.emplace_back(std::move(event));
}

TimelineEvent& Draft::note(Attempt const& attempt, std::string_view type, std::string text) {
  TimelineEvent& event = note(type, std::move(text));
  event.attempt = attempt.id;
  return event;
}

TimelineEvent& Draft::note(Refund const& refund, std::string_view type, std::string text) {
  TimelineEvent& event = note(type, std::move(text));
  event.attempt = refund.attempt;
  event.refund = refund.id;
  return event;
}

void Draft::raise_alarm(AttemptId const& id, std::string reason) {
  std::string const& known = existing(order_.attempts, id).review;
  bool const stays = known.starts_with(taken_back_alarm);
  if (known == reason || (stays && known.contains(reason))) return;
  Attempt& attempt = change(id);
  attempt.review = stays ? attempt.review + "; " + reason : reason;
  note(attempt, "payment.alarm", std::move(reason));
}

void Draft::raise_alarm(RefundId const& id, std::string reason) {
  if (existing(order_.refunds, id).review == reason) return;
  Refund& refund = change(id);
  refund.review = reason;
  note(refund, "refund.alarm", std::move(reason));
}

void Draft::call(CallKind kind, AttemptId const& id, bool first_create) {
  calls_.push_back({kind, order_.head.key, existing(order_.attempts, id), std::nullopt, first_create});
}

void Draft::call(CallKind kind, RefundId const& id) {
  Refund const& refund = existing(order_.refunds, id);
  calls_.push_back({kind, order_.head.key, existing(order_.attempts, refund.attempt), refund, false});
}

void Draft::call(CallKind kind, CaptureId const& id) {
  Capture const& capture = existing(order_.captures, id);
  calls_.push_back({kind, order_.head.key, existing(order_.attempts, capture.attempt), std::nullopt, false, capture});
}

void Draft::tally() {
  std::int64_t const paid = order_.paid_minor();
  std::int64_t const held = order_.held_minor();
  if (order_.head.state != OrderState::open && order_.head.due_at) change_head().due_at.reset();
  if (paid == order_.head.paid_minor && held == order_.head.held_minor) return;
  OrderHead& head = change_head();
  head.paid_minor = paid;
  head.held_minor = held;
}

std::vector<Posting> Draft::postings() const {
  std::vector<Posting> postings = postings_;
  OrderKey const& key = order_.head.key;
  auto const keep = [&](std::optional<Posting> posting) {
    if (posting) postings.push_back(std::move(*posting));
  };
  for (auto const& [id, before] : attempts_touched_)
    for (Posting& posting : postings_of(key, before, *order_.find(id), now_)) keep(std::move(posting));
  for (auto const& [id, from] : refunds_touched_) {
    Refund const& refund = *order_.find(id);
    keep(posting_of(key, from, refund, *order_.find(refund.attempt), now_));
  }
  return postings;
}

Decision Draft::finish(ReplyKind kind, AttemptId const* about) {
  tally();
  Decision decision;
  decision.changes.postings = postings();
  Reply reply{kind, order_.head, std::nullopt};
  if (about) reply.attempt = existing(order_.attempts, *about);
  decision.reply = std::move(reply);

  if (head_touched_) decision.changes.head = std::move(order_.head);
  move_touched(order_.attempts, attempts_touched_, decision.changes.attempts);
  move_touched(order_.refunds, refunds_touched_, decision.changes.refunds);
  move_touched(order_.captures, captures_touched_, decision.changes.captures);
  decision.changes.effects = std::move(effects_);
  decision.changes.events = std::move(events_);
  decision.changes.notice = std::move(notice_);
  decision.changes.discrepancy = std::move(discrepancy_);
  decision.calls = std::move(calls_);
  return decision;
}

Decision Draft::finish(ReplyKind kind, RefundId const& about) {
  Refund refund = existing(order_.refunds, about);
  Decision decision = finish(kind, &refund.attempt);
  decision.reply->refund = std::move(refund);
  return decision;
}

Decision Draft::finish(ReplyKind kind, CaptureId const& about) {
  Capture capture = existing(order_.captures, about);
  Decision decision = finish(kind, &capture.attempt);
  decision.reply->capture = std::move(capture);
  return decision;
}

Decision refuse(ErrorCode code, std::string detail, std::string field, Order const* order, Attempt const* in_the_way) {
  Refusal refusal{Error{code, std::move(detail), std::move(field)}};
  if (in_the_way) {
    refusal.live = *in_the_way;
    refusal.order = order->head.key.order;
  }
  Decision decision;
  decision.reply = std::unexpected(std::move(refusal));
  return decision;
}

}  // namespace payonce
