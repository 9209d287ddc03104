// Checks what follows from a payment: effects for the shop, and that each notice was worked in once and as a whole.
#include <algorithm>
#include <optional>
#include <set>

#include "base/id.h"
#include "verify/rules.h"

namespace payonce {

namespace {

// Whether effects may follow from this event: money moved or is held, or a refund ended, or the order became complete
// because it costs less now.
bool is_cause(TimelineEvent const& event, Effect const& effect) {
  if (event.type == "order.changed") return effect.refund.empty();
  if (event.attempt != effect.attempt || event.refund != effect.refund || event.from == event.to) return false;
  auto const refund = parse_refund_state(event.to);
  auto const attempt = parse_attempt_state(event.to);
  return (refund && !is_watched(*refund)) || (attempt && (has_come(*attempt) || *attempt == AttemptState::authorized));
}

// The moment at which the effect's payment or refund came to the end that the effect follows from; nothing if it did
// not. It may have come to several: refused, and given back all the same.
std::optional<Time> cause_of(OrderBooks const& books, Effect const& effect) {
  Attempt const* const attempt = books.order.find(effect.attempt);
  if (!attempt) return std::nullopt;
  bool const may_have_some = has_come(attempt->state) || books.order.head.capture == CaptureMode::manual;
  if (effect.refund.empty() && !may_have_some) return std::nullopt;
  std::optional<Time> last;
  for (auto const& [sequence, event] : books.timeline)
    if (is_cause(event, effect) && last != effect.created_at) last = event.at;
  return last;
}

void check_effects(OrderBooks const& books, Findings& findings) {
  std::set<std::string> ids;
  for (Effect const& effect : books.effects) {
    std::string const& id = effect.subject();
    findings.require(ids.insert(effect.id()).second, 6, id, "has its effect {} twice", effect.name);
    auto const cause = cause_of(books, effect);
    findings.require(cause.has_value() || !books.is_whole, 6, id, "has the effect {} although {}", effect.name,
                     effect.refund.empty() ? "its money did not come" : "it did not end");
    findings.require(!cause || effect.created_at == *cause || !books.is_whole, 5, id,
                     "has the effect {} of another moment than its end", effect.name);
    findings.require((effect.state == EffectState::pending) == effect.due_at.has_value(), 9, id,
                     "has the effect {}, {}, {}", effect.name, to_text(effect.state),
                     effect.due_at ? "that is due again" : "that is never due");
  }
}

void expect_effects(OrderBooks const& books, std::string const& subject, Trigger on,
                    std::vector<EffectSettings> const& expected, Findings& findings) {
  for (auto const& [name, wanted_on] : expected) {
    auto const fits = [&](Effect const& it) { return it.name == name && it.subject() == subject; };
    findings.require(wanted_on != on || std::ranges::any_of(books.effects, fits), 5, subject,
                     "came to its end ({}) but lacks its effect {}", to_text(on), name);
  }
}

// The effects of a complete order exist once, whichever of its payments made it complete.
void check_paid_effects(OrderBooks const& books, std::vector<EffectSettings> const& expected, Findings& findings) {
  int const wanted = books.order.head.state == OrderState::paid ? 1 : 0;
  for (auto const& [name, on] : expected) {
    if (on != Trigger::order_paid) continue;
    auto const count = std::ranges::count(books.effects, name, &Effect::name);
    findings.require(count == wanted, 5, "", "it is {} and has its effect {} {} times", to_text(books.order.head.state),
                     name, count);
  }
}

void check_expected_effects(OrderBooks const& books, std::vector<EffectSettings> const& expected, Findings& findings) {
  check_paid_effects(books, expected, findings);
  for (Attempt const& attempt : books.order.attempts) {
    auto const expect = [&](bool has_happened, Trigger on) {
      if (has_happened) expect_effects(books, attempt.id.value, on, expected, findings);
    };
    expect(pays(attempt), Trigger::payment_succeeded);
    expect(attempt.state == AttemptState::authorized && !attempt.cancel_requested, Trigger::payment_authorized);
    expect(attempt.surplus, Trigger::payment_surplus);
    expect(attempt.disputes > 0, Trigger::payment_disputed);
    expect(attempt.state == AttemptState::reversed, Trigger::payment_reversed);
  }
  for (Refund const& refund : books.order.refunds) {
    auto const expect = [&](bool has_happened, Trigger on) {
      if (has_happened) expect_effects(books, refund.id.value, on, expected, findings);
    };
    bool const has_returned = refund.state == RefundState::returned;
    expect(refund.state == RefundState::succeeded || has_returned, Trigger::refund_succeeded);
    expect(refund.state == RefundState::failed || has_returned, Trigger::refund_failed);
  }
}

bool has_happened(Attempt const& attempt) { return has_come(attempt.state); }
bool has_happened(Refund const& refund) {
  return refund.state == RefundState::succeeded || refund.state == RefundState::returned;
}

// That a hold is over is not believed of a notice alone: the provider is asked, and may not answer for long.
bool may_still_ask(Attempt const& attempt) { return attempt.state == AttemptState::authorized; }
bool may_still_ask(Refund const&) { return false; }

// Whether a payment or refund has heard what a notice about it says.
template <class Row>
bool has_heard(Row const* row, Answer const& said) {
  if (!row) return false;
  if (said.outcome == Outcome::succeeded) return has_happened(*row);
  bool const is_bare = said.code.empty() && said.text.empty();
  return said.outcome != Outcome::declined || is_bare || !is_watched(row->state) || may_still_ask(*row);
}

bool is_worked_in(Order const& order, NoticeRow const& notice) {
  if (notice.refund_number.empty()) return has_heard(order.find(AttemptId{notice.number}), notice.answer);
  if (Refund const* const ours = order.find(RefundId{notice.refund_number})) return has_heard(ours, notice.answer);
  // A number of somebody else's: its money moved and is in the books, or nothing moved.
  return notice.answer.outcome != Outcome::succeeded ||
         order.find(outside_refund_id(AttemptId{notice.number}, notice.refund_number)) ||
         std::ranges::any_of(order.refunds, [&](Refund const& it) {
           return it.attempt.value == notice.number && it.provider_ref == notice.refund_number && has_happened(it);
         });
}

void check_notices(OrderBooks const& books, Findings& findings) {
  std::set<std::pair<std::string, std::string>> ids;
  for (NoticeRow const& notice : books.notices) {
    findings.require(ids.emplace(notice.provider, notice.event_id).second, 5, notice.number, "has the notice {} twice",
                     notice.event_id);
    bool const is_unmatched = notice.disposition == NoticeDisposition::unmatched;
    findings.require(is_unmatched == notice.due_at.has_value(), 9, notice.number, "has the notice {}, {}, {}",
                     notice.event_id, to_text(notice.disposition),
                     notice.due_at ? "that is due again" : "that is never due");
    findings.require(notice.disposition != NoticeDisposition::applied || is_worked_in(books.order, notice), 5,
                     notice.number, "has the notice {} ({}) as applied, but its state does not show it",
                     notice.event_id, to_text(notice.answer.outcome));
    if (is_unmatched)
      findings.leave_open(notice.number, "has the notice " + notice.event_id + ", which is still to be worked in");
  }
}

// Each notice is worth one change at most: more changes than rows means one that was worked in twice, or without a row.
void check_changes_by_notice(OrderBooks const& books, Findings& findings) {
  for (Attempt const& attempt : books.order.attempts) {
    auto const changes = std::ranges::count_if(books.timeline, [&](StoredEvent const& it) {
      bool const is_capture = it.event.to.empty();  // what became of it is told with its payment
      bool const is_message = it.event.evidence == Evidence::notice || it.event.evidence == Evidence::statement;
      return it.event.attempt == attempt.id && is_message && !is_capture;
    });
    auto const rows = std::ranges::count_if(books.notices, [&](NoticeRow const& it) {
      return it.number == attempt.id.value && it.disposition != NoticeDisposition::unmatched;
    });
    findings.require(changes <= rows, 5, attempt.id.value, "changed {} times by {} notices", changes, rows);
  }
}

}  // namespace

void check_consequences(OrderBooks const& books, std::vector<EffectSettings> const& expected, Findings& findings) {
  check_effects(books, findings);
  check_expected_effects(books, expected, findings);
  check_notices(books, findings);
  check_changes_by_notice(books, findings);
}

}  // namespace payonce
