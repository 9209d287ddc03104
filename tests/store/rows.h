// Rows for store tests: plausible ones to start from, and what makes two of them equal.
#pragma once

#include <string>
#include <tuple>

#include "store/store.h"

namespace payonce::test {

inline constexpr Time noon = Time{Millis{1'800'000'000'000}};

inline Money cny(std::int64_t minor) { return Money{minor, Currency::of("CNY")}; }

inline OrderKey order_key(std::string_view order, std::string_view merchant = "shop") {
  return OrderKey{MerchantId{merchant}, OrderId{order}};
}

// An open order of 19.99 CNY.
inline OrderHead head_of(OrderKey const& key) {
  return OrderHead{.key = key,
                   .amount = cny(1999),
                   .policy = Policy::single,
                   .state = OrderState::open,
                   .paid_minor = 0,
                   .held_minor = 0,
                   .metadata = {},
                   .created_at = noon,
                   .updated_at = noon};
}

inline OrderHead paid(OrderHead head) {
  head.state = OrderState::paid;
  head.paid_minor = head.amount.minor;
  head.held_minor = 0;
  return head;
}

// A live attempt that was just committed and is about to be sent.
inline Attempt processing(std::string_view id, std::string_view key) {
  Attempt attempt{.id = AttemptId{id}, .amount = cny(1999)};
  attempt.key = key;
  attempt.fingerprint = std::string(64, 'f');
  attempt.provider = "sandbox";
  attempt.exposed = true;
  attempt.request = "number=" + std::string{id};
  attempt.due_at = noon + Millis{20'000};
  attempt.first_sent_at = noon;
  attempt.expires_at = noon + Millis{1'800'000};
  attempt.created_at = attempt.updated_at = noon;
  return attempt;
}

inline Attempt ended(Attempt attempt, AttemptState state) {
  attempt.state = state;
  attempt.due_at.reset();
  attempt.evidence = Evidence::response;
  attempt.answer_code = "CODE";
  attempt.settled_at = noon;
  return attempt;
}
inline Attempt succeeded(Attempt attempt) { return ended(std::move(attempt), AttemptState::succeeded); }
inline Attempt failed(Attempt attempt) { return ended(std::move(attempt), AttemptState::failed); }
inline Attempt surplus(Attempt attempt) {
  attempt = succeeded(std::move(attempt));
  attempt.surplus = true;
  return attempt;
}

inline Refund refund_of(Attempt const& attempt, std::string_view id, std::int64_t minor, std::string_view reason) {
  Refund refund{.id = RefundId{id}, .amount = cny(minor)};
  refund.attempt = attempt.id;
  refund.reason = reason;
  if (reason == "surplus")
    refund.origin = RefundOrigin::surplus;
  else
    refund.key = "key of " + refund.id.value;
  refund.due_at = noon;
  refund.created_at = refund.updated_at = noon;
  return refund;
}

// Under way, and the last one of its attempt.
inline Capture capture_of(Attempt const& attempt, std::string_view id, std::int64_t minor) {
  Capture capture{.id = CaptureId{id}, .attempt = attempt.id, .amount = cny(minor)};
  capture.key = "key of " + capture.id.value;
  capture.due_at = noon;
  capture.created_at = capture.updated_at = noon;
  return capture;
}

inline Posting posting_of(OrderKey const& key, Attempt const& attempt) {
  return {.key = key,
          .attempt = attempt.id,
          .debit = "receivable:sandbox",
          .credit = "revenue",
          .amount = attempt.amount,
          .at = noon};
}

inline Effect effect_of(OrderKey const& key, Attempt const& attempt, std::string_view name) {
  Effect effect;
  effect.key = key;
  effect.attempt = attempt.id;
  effect.name = name;
  effect.due_at = effect.created_at = noon;
  return effect;
}

inline TimelineEvent event_of(OrderKey const& key, std::string_view type) {
  TimelineEvent event;
  event.key = key;
  event.type = type;
  event.at = noon;
  return event;
}

inline NoticeRow notice_of(std::string_view event_id, std::string_view number) {
  NoticeRow notice;
  notice.provider = "sandbox";
  notice.event_id = event_id;
  notice.number = number;
  notice.disposition = NoticeDisposition::applied;
  notice.answer.outcome = Outcome::succeeded;
  notice.received_at = noon;
  return notice;
}

// A set of changes, built up in one expression.
struct Changes : WriteSet {
  Changes& add(OrderHead const& head, bool is_new = true) {
    heads.push_back({head, is_new});
    return *this;
  }
  Changes& update(OrderHead const& head) { return add(head, false); }
  Changes& add(OrderKey const& key, Attempt const& attempt, bool is_new = true) {
    attempts.push_back({key, attempt, is_new, attempt.part.empty() ? Policy::single : Policy::split});
    return *this;
  }
  Changes& update(OrderKey const& key, Attempt const& attempt) { return add(key, attempt, false); }
  Changes& add(OrderKey const& key, Refund const& refund, bool is_new = true) {
    refunds.push_back({key, refund, is_new});
    return *this;
  }
  Changes& update(OrderKey const& key, Refund const& refund) { return add(key, refund, false); }
  Changes& add(OrderKey const& key, Capture const& capture, bool is_new = true) {
    captures.push_back({key, capture, is_new});
    return *this;
  }
  Changes& update(OrderKey const& key, Capture const& capture) { return add(key, capture, false); }
  Changes& add(Effect const& effect) {
    effects.push_back(effect);
    return *this;
  }
  Changes& add(TimelineEvent const& event) {
    events.push_back(event);
    return *this;
  }
  Changes& add(Posting const& posting) {
    postings.push_back(posting);
    return *this;
  }
  Changes& add(NoticeRow const& notice, bool is_new = true) {
    notices.push_back({notice, is_new});
    return *this;
  }
  Changes& update(NoticeRow const& notice) { return add(notice, false); }
  Changes& add(Discrepancy const& discrepancy) {
    discrepancies.push_back(discrepancy);
    return *this;
  }
};

// Every field of a row, so that EXPECT_EQ compares them all.
inline auto fields(OrderHead const& it) {
  return std::tie(it.key, it.amount, it.policy, it.state, it.paid_minor, it.held_minor, it.metadata, it.created_at,
                  it.updated_at, it.expires_at, it.due_at, it.capture);
}
inline auto fields(Attempt const& it) {
  return std::tie(it.id, it.key, it.fingerprint, it.provider, it.method, it.amount, it.metadata, it.state, it.surplus,
                  it.exposed, it.cancel_requested, it.review, it.request, it.provider_ref, it.action_url, it.evidence,
                  it.answer_code, it.answer, it.tries, it.due_at, it.first_sent_at, it.expires_at, it.created_at,
                  it.updated_at, it.settled_at, it.part, it.disputes, it.captured_minor);
}
inline auto fields(Refund const& it) {
  return std::tie(it.id, it.attempt, it.key, it.reason, it.amount, it.state, it.review, it.request, it.provider_ref,
                  it.evidence, it.answer_code, it.answer, it.tries, it.due_at, it.created_at, it.updated_at, it.origin);
}
inline auto fields(Capture const& it) {
  return std::tie(it.id, it.attempt, it.key, it.amount, it.is_final, it.state, it.request, it.provider_ref, it.evidence,
                  it.answer_code, it.answer, it.tries, it.due_at, it.created_at, it.updated_at);
}
inline auto fields(Posting const& it) {
  return std::tie(it.key, it.attempt, it.refund, it.debit, it.credit, it.amount, it.at);
}
inline auto fields(TimelineEvent const& it) {
  return std::tie(it.key, it.attempt, it.refund, it.type, it.from, it.to, it.evidence, it.actor, it.code, it.text,
                  it.at);
}
inline auto fields(Effect const& it) {
  return std::tie(it.key, it.attempt, it.refund, it.name, it.state, it.tries, it.due_at, it.created_at, it.delivered_at,
                  it.last_error);
}
inline auto fields(NoticeRow const& it) {
  return std::tie(it.provider, it.event_id, it.number, it.refund_number, it.disposition, it.answer.outcome,
                  it.answer.provider_ref, it.answer.amount, it.answer.code, it.answer.text, it.answer.action_url,
                  it.answer.misfit, it.body, it.tries, it.due_at, it.received_at, it.billed);
}
inline auto fields(StatementRow const& it) {
  return std::tie(it.provider, it.day, it.digest_hex, it.lines, it.imported_at);
}
inline auto fields(Discrepancy const& it) {
  return std::tie(it.id, it.merchant, it.kind, it.provider, it.day, it.subject, it.number, it.amount, it.text,
                  it.found_at, it.resolved_at, it.resolved_by, it.note);
}
inline auto fields(ApiKeyRow const& it) {
  return std::tie(it.merchant, it.name, it.hash_hex, it.created_at, it.revoked_at);
}

}  // namespace payonce::test
