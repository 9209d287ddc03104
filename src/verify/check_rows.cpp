// Checks that need nothing but the rows of an order.
#include <fmt/format.h>

#include <map>

#include "base/id.h"
#include "payment/fingerprint.h"
#include "verify/rules.h"

namespace payonce {

namespace {

void check_sums(Order const& order, Findings& findings) {
  OrderHead const& head = order.head;
  std::int64_t paid = 0;
  std::int64_t held = 0;
  bool has_payer = false;
  std::map<std::string, int> in_place;  // by part
  for (Attempt const& attempt : order.attempts) {
    if (!attempt.surplus) paid += came_minor(attempt);
    if (is_live(attempt.state)) held += attempt.amount.minor - came_minor(attempt);
    has_payer = has_payer || pays(attempt);
    if (!pays(attempt) && !is_live(attempt.state)) continue;
    ++in_place[attempt.part];
    bool const fits =
        head.policy == Policy::single ? attempt.amount == head.amount : attempt.amount.currency == head.amount.currency;
    findings.require(fits, 1, attempt.id.value, "is over {}, the order over {}", to_text(attempt.amount),
                     to_text(head.amount));
  }
  for (auto const& [part, count] : in_place)
    findings.require(count <= 1, 1, "", "{} payments are live or have paid it{}{}", count,
                     part.empty() ? "" : ", part ", part);
  findings.require(paid == head.paid_minor, 1, "", "its payments paid {}, the order says {}", paid, head.paid_minor);
  findings.require(held == head.held_minor, 1, "", "its live payments hold {}, the order says {}", held,
                   head.held_minor);
  findings.require(paid + held <= head.amount.minor, 1, "", "{} are paid and held of {}", paid + held,
                   head.amount.minor);
  bool const is_paid = head.state == OrderState::paid;
  // Of a hold the shop may capture less than it has asked for; its order is paid all the same.
  bool const has_all =
      head.policy == Policy::single && head.capture == CaptureMode::manual ? has_payer : paid == head.amount.minor;
  findings.require(is_paid == has_all, 1, "", "it is {} and {} of {} came", to_text(head.state), paid,
                   head.amount.minor);
  bool const is_watched_order = head.state == OrderState::open && head.expires_at;
  findings.require(is_watched_order == head.due_at.has_value(), 9, "", "it is {}, expires {}, and {}",
                   to_text(head.state), head.expires_at ? to_rfc3339(*head.expires_at) : "never",
                   head.due_at ? "would be closed" : "is never looked at");
}

void check_end(Attempt const& attempt, Findings& findings) {
  std::string const& id = attempt.id.value;
  bool const ended = !is_watched(attempt.state);
  findings.require(!ended || attempt.evidence, 2, id, "is {} without evidence", to_text(attempt.state));
  bool const is_dead = attempt.state == AttemptState::failed || attempt.state == AttemptState::canceled;
  findings.require(!is_dead || !attempt.answer_code.empty() || !attempt.answer.empty(), 2, id,
                   "is {} without a stored answer", to_text(attempt.state));
  findings.require(ended == attempt.settled_at.has_value(), 9, id, "is {} {} the time of its end",
                   to_text(attempt.state), ended ? "without" : "with");
  findings.require(ended == !attempt.due_at.has_value(), 9, id, "is {} and {}", to_text(attempt.state),
                   ended ? "would be asked about for ever" : "is never looked at again");
  findings.require(!attempt.surplus || has_come(attempt.state), 7, id, "is called surplus but is {}",
                   to_text(attempt.state));
  if (!ended)
    findings.leave_open(id, fmt::format("is {}, begun {}", to_text(attempt.state), to_rfc3339(attempt.created_at)));
}

// `has_requests`: nothing of what was sent is in an archive out of reach.
void check_request(Order const& order, Attempt const& attempt, bool has_requests, Findings& findings) {
  std::string const& id = attempt.id.value;
  findings.require(!has_requests || attempt.provider == "offline" || !attempt.request.empty(), 3, id,
                   "has no stored request");
  findings.require(attempt.request.empty() || attempt.request.contains(id), 4, id,
                   "has a stored request that does not name its number");
  findings.require(is_attempt_id(id), 4, id, "is not a number of the one shape");
  findings.require(!attempt.key.empty(), 10, id, "has no key");
  findings.require(fingerprint(money_fields(order.head.key.order, attempt)) == attempt.fingerprint, 10, id,
                   "has a fingerprint that is not that of its order, provider, method and amount");
}

void check_refunds(Order const& order, Attempt const& attempt, bool has_requests, Findings& findings) {
  std::int64_t given_back = 0;
  int as_surplus = 0;
  for (Refund const& refund : order.refunds) {
    if (refund.attempt != attempt.id) continue;
    std::string const& id = refund.id.value;
    bool const ended = !is_watched(refund.state);
    if (takes_money(refund.state)) given_back += refund.amount.minor;
    findings.require(refund.amount.currency == attempt.amount.currency, 8, id, "is over {}, its payment over {}",
                     to_text(refund.amount), to_text(attempt.amount));
    findings.require(refund.request.empty() || refund.request.contains(id), 4, id,
                     "has a stored request that does not name its number");
    bool const has_request = !refund.request.empty() || refund.origin == RefundOrigin::outside || !has_requests;
    findings.require(!ended || (refund.evidence && has_request), 8, id, "is {} without evidence and a stored request",
                     to_text(refund.state));
    findings.require(ended == !refund.due_at.has_value(), 9, id, "is {} and {}", to_text(refund.state),
                     ended ? "would be asked about for ever" : "is never looked at again");
    if (refund.state == RefundState::failed)
      findings.leave_open(id, "was refused by the provider; a person has to give the money back");
    if (refund.state == RefundState::returned)
      findings.leave_open(id, "did not reach the buyer; a person has to give the money back");
    if (!ended) findings.leave_open(id, fmt::format("is {}", to_text(refund.state)));
    findings.require((refund.origin == RefundOrigin::request) == !refund.key.empty(), 8, id, "is a {} with {}",
                     to_text(refund.origin), refund.key.empty() ? "no key" : "a key");
    findings.require(!refund.gives_surplus_back() || attempt.surplus, 8, id,
                     "gives back as surplus what paid the order");
    if (!refund.gives_surplus_back()) continue;
    ++as_surplus;
    findings.require(refund.id == surplus_refund_id(attempt.id), 8, id,
                     "gives surplus {} back under another number than {}", attempt.id.value,
                     surplus_refund_id(attempt.id).value);
  }
  std::int64_t const captured = came_minor(attempt);
  findings.require(given_back <= captured, 8, attempt.id.value, "{} go back of {} that came", given_back, captured);
  bool const is_for_a_person = !attempt.review.empty() || given_back > 0;
  findings.require(as_surplus <= 1 && (!attempt.surplus || as_surplus == 1 || is_for_a_person), 8, attempt.id.value,
                   "is{} surplus and has {} surplus refunds", attempt.surplus ? "" : " not", as_surplus);
}

void check_captures(Order const& order, Attempt const& attempt, bool has_requests, Findings& findings) {
  std::int64_t done = 0;
  std::int64_t reserved = 0;
  int under_way = 0;
  for (Capture const& capture : order.captures) {
    if (capture.attempt != attempt.id) continue;
    std::string const& id = capture.id.value;
    bool const ended = !is_watched(capture.state);
    under_way += !ended;
    reserved += capture.state == CaptureState::failed ? 0 : capture.amount.minor;
    done += capture.state == CaptureState::succeeded ? capture.amount.minor : 0;
    findings.require(capture.amount.currency == attempt.amount.currency, 8, id, "is over {}, its payment over {}",
                     to_text(capture.amount), to_text(attempt.amount));
    findings.require(capture.request.contains(id) || capture.key.empty() || !has_requests, 4, id,
                     "has a stored request that does not name its number");
    findings.require(!ended || capture.evidence, 2, id, "is {} without evidence", to_text(capture.state));
    findings.require(ended == !capture.due_at.has_value(), 9, id, "is {} and {}", to_text(capture.state),
                     ended ? "would be asked about for ever" : "is never looked at again");
    if (!ended) findings.leave_open(id, fmt::format("is {}", to_text(capture.state)));
  }
  std::string const& id = attempt.id.value;
  std::int64_t const came = came_minor(attempt);
  findings.require(reserved <= attempt.amount.minor, 8, id, "{} are captured of {} that are held", reserved,
                   attempt.amount.minor);
  findings.require(under_way <= 1, 8, id, "has {} captures under way", under_way);
  findings.require(done == came || (done == 0 && came == attempt.amount.minor), 8, id,
                   "brought {}, its captures brought {}", came, done);
  bool const is_held = attempt.state == AttemptState::authorized || attempt.captured_minor > 0 || reserved > 0;
  findings.require(!is_held || order.head.capture == CaptureMode::manual, 8, id,
                   "is or was held, and its order is to be paid at once");
}

}  // namespace

void check_rows(OrderBooks const& books, Findings& findings) {
  Order const& order = books.order;
  check_sums(order, findings);
  for (Attempt const& attempt : order.attempts) {
    check_end(attempt, findings);
    check_request(order, attempt, books.is_whole, findings);
    check_captures(order, attempt, books.is_whole, findings);
    check_refunds(order, attempt, books.is_whole, findings);
  }
  for (Refund const& refund : order.refunds)
    findings.require(order.find(refund.attempt) != nullptr, 8, refund.id.value,
                     "gives back money of {}, which is not here", refund.attempt.value);
}

}  // namespace payonce
