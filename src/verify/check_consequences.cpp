// Checks what follows from a payment: effects for the shop, and that each notice was worked in once and as a whole.
#include <algorithm>
#include <optional>
#include <set>

#include "verify/rules.h"

namespace payonce {

namespace {

// The moment at which the effect's payment or refund came to the end that the effect follows from; nothing if it did
// not.
std::optional<Time> cause_of(OrderBooks const& books, Effect const& effect) {
  if (effect.refund.empty()) {
    Attempt const* const paying = books.order.paying();
    return paying && paying->id == effect.attempt ? paying->settled_at : std::nullopt;
  }
  Refund const* const refund = books.order.find(effect.refund);
  if (!refund || refund->attempt != effect.attempt) return std::nullopt;
  // It may have ended twice: refused, and given back all the same.
  std::optional<Time> last;
  for (auto const& [sequence, event] : books.timeline) {
    bool const is_end = event.refund == effect.refund && event.from != event.to &&
                        (event.to == to_text(RefundState::succeeded) || event.to == to_text(RefundState::failed));
    if (is_end && last != effect.created_at) last = event.at;
  }
  return last;
}

void check_effects(OrderBooks const& books, Findings& findings) {
  std::set<std::string> ids;
  for (Effect const& effect : books.effects) {
    std::string const& id = effect.subject();
    findings.require(ids.insert(effect.id()).second, 6, id, "has its effect {} twice", effect.name);
    auto const cause = cause_of(books, effect);
    findings.require(cause.has_value(), 6, id, "has the effect {} although {}", effect.name,
                     effect.refund.empty() ? "it did not pay the order" : "it did not end");
    findings.require(!cause || effect.created_at == *cause, 5, id, "has the effect {} of another moment than its end",
                     effect.name);
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

void check_expected_effects(OrderBooks const& books, std::vector<EffectSettings> const& expected, Findings& findings) {
  if (Attempt const* paying = books.order.paying())
    expect_effects(books, paying->id.value, Trigger::payment_succeeded, expected, findings);
  for (Refund const& refund : books.order.refunds) {
    if (is_watched(refund.state)) continue;
    bool const is_success = refund.state == RefundState::succeeded;
    expect_effects(books, refund.id.value, is_success ? Trigger::refund_succeeded : Trigger::refund_failed, expected,
                   findings);
  }
}

// Whether a payment or refund has heard what a notice about it says.
template <class Row>
bool has_heard(Row const* row, Answer const& said) {
  if (!row) return false;
  if (said.outcome == Outcome::succeeded) return row->state == decltype(row->state)::succeeded;
  bool const is_bare = said.code.empty() && said.text.empty();
  return said.outcome != Outcome::declined || is_bare || !is_watched(row->state);
}

bool is_worked_in(Order const& order, NoticeRow const& notice) {
  if (notice.refund_number.empty()) return has_heard(order.find(AttemptId{notice.number}), notice.answer);
  return has_heard(order.find(RefundId{notice.refund_number}), notice.answer);
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
      return it.event.attempt == attempt.id && it.event.evidence == Evidence::notice;
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
