// Rows as text, and the invariants of one order, for tests of the rules.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/id.h"
#include "support/rules_world.h"

namespace payonce {

namespace {

std::string text_of(std::optional<Time> time) { return time ? to_rfc3339(*time) : "-"; }
std::string_view text_of(std::optional<Evidence> evidence) { return evidence ? to_text(*evidence) : "-"; }

}  // namespace

std::string describe(OrderHead const& head) {
  return fmt::format("{}/{} {} {} {} paid={} held={} {} expires={}", head.key.merchant.value, head.key.order.value,
                     to_text(head.amount), to_text(head.policy), to_text(head.state), head.paid_minor, head.held_minor,
                     head.metadata, text_of(head.expires_at));
}

std::string describe(Attempt const& it, Bookkeeping bookkeeping) {
  std::string text = fmt::format(
      "{} key={} print={} {} method={} {} captured={} meta={} {} part={} disputes={} surplus={} exposed={} cancel={} "
      "review={} "
      "request={} ref={} "
      "url={} "
      "evidence={} code={} answer={} tries={} first_sent={} expires={} created={} settled={}",
      it.id.value, it.key, it.fingerprint, it.provider, it.method, to_text(it.amount), it.captured_minor, it.metadata,
      to_text(it.state), it.part, it.disputes, it.surplus, it.exposed, it.cancel_requested, it.review, it.request,
      it.provider_ref, it.action_url, text_of(it.evidence), it.answer_code, it.answer, it.tries,
      text_of(it.first_sent_at), text_of(it.expires_at), text_of(it.created_at), text_of(it.settled_at));
  if (bookkeeping == Bookkeeping::with)
    text += fmt::format(" due={} updated={}", text_of(it.due_at), text_of(it.updated_at));
  return text;
}

std::string describe(Refund const& it, Bookkeeping bookkeeping) {
  std::string text =
      fmt::format("{} of {} key={} reason={} {} {} review={} request={} ref={} evidence={} code={} answer={} tries={}",
                  it.id.value, it.attempt.value, it.key, it.reason, to_text(it.amount), to_text(it.state), it.review,
                  it.request, it.provider_ref, text_of(it.evidence), it.answer_code, it.answer, it.tries);
  if (bookkeeping == Bookkeeping::with)
    text += fmt::format(" due={} updated={}", text_of(it.due_at), text_of(it.updated_at));
  return text;
}

std::string describe(Capture const& it, Bookkeeping bookkeeping) {
  std::string text =
      fmt::format("{} of {} key={} {} final={} {} request={} ref={} evidence={} code={} answer={} tries={}",
                  it.id.value, it.attempt.value, it.key, to_text(it.amount), it.is_final, to_text(it.state), it.request,
                  it.provider_ref, text_of(it.evidence), it.answer_code, it.answer, it.tries);
  if (bookkeeping == Bookkeeping::with)
    text += fmt::format(" due={} updated={}", text_of(it.due_at), text_of(it.updated_at));
  return text;
}

namespace {

std::string describe(Effect const& effect) { return effect.id(); }

class Findings {
 public:
  void require(bool holds, std::string_view sentence, auto const& row) {
    if (!holds) text_ += fmt::format("{} ({}); ", sentence, describe(row));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void check_attempt(Findings& found, Order const& order, Attempt const& attempt) {
  bool const ended = !is_watched(attempt.state);
  found.require(ended == !attempt.due_at.has_value(), "what may still charge is due some day, and nothing else is",
                attempt);
  found.require(ended == attempt.settled_at.has_value(), "what ended, and nothing else, has the time of its end",
                attempt);
  found.require(!ended || attempt.evidence.has_value(), "an attempt ends only on evidence", attempt);
  found.require(attempt.state != AttemptState::failed || !attempt.answer_code.empty() || !attempt.answer.empty(),
                "a failure has the provider's answer", attempt);
  found.require(!attempt.surplus || has_come(attempt.state), "surplus is money that came", attempt);
  found.require(attempt.action_url.empty() || attempt.state == AttemptState::requires_action,
                "the buyer is sent away only while something is left to do", attempt);
  bool const provider_spoke = attempt.state == AttemptState::unknown ||
                              attempt.state == AttemptState::requires_action || attempt.state == AttemptState::failed;
  found.require(attempt.exposed || !provider_spoke, "what the provider spoke of was sent", attempt);
  std::int64_t given_back = 0;
  int surplus_refunds = 0;
  for (Refund const& refund : order.refunds) {
    if (refund.attempt != attempt.id) continue;
    given_back += takes_money(refund.state) ? refund.amount.minor : 0;
    surplus_refunds += refund.gives_surplus_back();
    found.require(refund.gives_surplus_back() == (refund.id == surplus_refund_id(attempt.id)),
                  "a surplus goes back under its one number", attempt);
    found.require(!refund.gives_surplus_back() || attempt.surplus, "nothing but surplus goes back by itself", attempt);
    found.require((refund.origin == RefundOrigin::request) == !refund.key.empty(), "who asks has a key", attempt);
    found.require(is_watched(refund.state) == refund.due_at.has_value(), "a refund under way is due some day", attempt);
  }
  found.require(surplus_refunds == (attempt.surplus ? 1 : 0), "each surplus is given back once, and nothing else is",
                attempt);
  found.require(given_back <= came_minor(attempt), "no more goes back than came", attempt);
}

void check_captures(Findings& found, Order const& order, Attempt const& attempt) {
  std::int64_t captured = 0;
  std::int64_t taken_up = 0;
  int under_way = 0;
  for (Capture const& it : order.captures) {
    if (it.attempt != attempt.id) continue;
    under_way += is_watched(it.state);
    captured += it.state == CaptureState::succeeded ? it.amount.minor : 0;
    taken_up += it.state == CaptureState::failed ? 0 : it.amount.minor;
    found.require(is_watched(it.state) == it.due_at.has_value(), "a capture under way is due some day", attempt);
    found.require(is_watched(it.state) || it.evidence, "a capture ends only on evidence", attempt);
  }
  std::int64_t const came = came_minor(attempt);
  bool const came_at_once = captured == 0 && came == attempt.amount.minor;
  found.require(under_way <= 1, "one capture after the other", attempt);
  found.require(taken_up <= attempt.amount.minor, "no more is captured than is held", attempt);
  found.require(captured == came || came_at_once, "what came of a hold are its captures", attempt);
  found.require(attempt.captured_minor == 0 || attempt.captured_minor < attempt.amount.minor,
                "what came is named only while it is not all", attempt);
  found.require(attempt.state != AttemptState::authorized || order.head.capture == CaptureMode::manual,
                "only orders with manual capture have holds", attempt);
}

}  // namespace

std::string journal_mismatch(Order const& order, std::vector<Posting> const& journal) {
  std::map<std::string, std::int64_t> balances;
  for (Posting const& it : journal) {
    balances[it.debit] += it.amount.minor;
    balances[it.credit] -= it.amount.minor;
  }
  for (Attempt const& it : order.attempts) {
    std::int64_t const came = came_minor(it);
    bool const is_disputed = it.state == AttemptState::disputed;
    bool const is_gone = it.state == AttemptState::reversed;
    balances[is_disputed ? "disputed" : is_gone ? "reversals" : "receivable:" + it.provider] -= came;
    balances[it.surplus ? "surplus" : "revenue"] += came;
  }
  for (Refund const& it : order.refunds) {
    if (it.state != RefundState::succeeded) continue;
    Attempt const& attempt = *order.find(it.attempt);
    balances["receivable:" + attempt.provider] += it.amount.minor;
    balances[attempt.surplus ? "surplus" : "refunds"] -= it.amount.minor;
  }
  std::string found;
  for (auto const& [account, difference] : balances)
    if (difference != 0) found += fmt::format("{} is off by {}; ", account, difference);
  return found;
}

std::string broken_invariants(Order const& order, std::vector<Effect> const& effects) {
  Findings found;
  std::int64_t paid = 0;
  std::int64_t held = 0;
  bool has_payer = false;
  std::set<std::string> places;
  std::set<std::string> ids;
  for (Attempt const& attempt : order.attempts) {
    found.require(ids.insert(attempt.id.value).second, "a number is one attempt", order.head);
    bool const has_paid = has_come(attempt.state) && !attempt.surplus;
    if (is_live(attempt.state)) held += attempt.amount.minor - came_minor(attempt);
    if (!attempt.surplus) paid += came_minor(attempt);
    has_payer = has_payer || has_paid;
    if (is_live(attempt.state) || has_paid)
      found.require(places.insert(attempt.part).second, "at most one attempt of a part is live or has paid",
                    order.head);
    found.require(attempt.part.empty() || order.head.policy == Policy::split, "only split orders have parts",
                  order.head);
    check_attempt(found, order, attempt);
    check_captures(found, order, attempt);
  }
  found.require(paid == order.head.paid_minor && held == order.head.held_minor, "the sums are those of the attempts",
                order.head);
  found.require(paid + held <= order.head.amount.minor, "paid and held stay within the amount", order.head);
  bool const is_single = order.head.policy == Policy::single;
  found.require((order.head.state == OrderState::paid) == (is_single ? has_payer : paid == order.head.amount.minor),
                "an order is paid when its payment, or all of it, came", order.head);
  found.require(paid == 0 || paid == order.head.amount.minor || !is_single || order.head.capture == CaptureMode::manual,
                "an order that is not split is paid in full", order.head);
  found.require((order.head.state == OrderState::open && order.head.expires_at) == order.head.due_at.has_value(),
                "an open order that expires is looked at, and no other", order.head);

  std::set<std::string> effect_ids;
  for (Effect const& effect : effects) {
    found.require(effect_ids.insert(effect.id()).second, "an effect exists once", effect);
    if (!effect.refund.empty()) {
      Refund const* const refund = order.find(effect.refund);
      found.require(refund && refund->attempt == effect.attempt && !is_watched(refund->state),
                    "only a refund that ended has effects", effect);
      continue;
    }
    Attempt const* const attempt = order.find(effect.attempt);
    if (effect.name == "held") continue;
    found.require(attempt && pays(*attempt) && order.head.state == OrderState::paid,
                  "only payments of a paid order have effects", effect);
  }
  return found.take();
}

}  // namespace payonce
