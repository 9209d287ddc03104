#include "support/rules_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "payment/fingerprint.h"

namespace payonce {

namespace {

std::string write_create(Charge const& charge) {
  return fmt::format("create {} {} {} {} until {}", charge.number.value, charge.order.value, to_text(charge.amount),
                     charge.method, to_rfc3339(charge.expires_at));
}

std::string write_refund(Refund const& refund, Attempt const& attempt) {
  return fmt::format("refund {} of {} {}", refund.id.value, attempt.id.value, to_text(refund.amount));
}

std::string write_capture(Capture const& capture, Attempt const& attempt) {
  return fmt::format("capture {} of {} {}{}", capture.id.value, attempt.id.value, to_text(capture.amount),
                     capture.is_final ? ", final" : "");
}

ProviderTerms provider_terms(std::string_view name, bool create_is_idempotent, bool close_is_proof, int captures_max) {
  return {.name = name,
          .create_is_idempotent = create_is_idempotent,
          .key_window = 24h,
          .request_life = 60s,
          .call_timeout = 10s,
          .close_is_proof = close_is_proof,
          .attempt_life = 15min,
          .captures_max = captures_max,
          .hold_life = 24h * 7,
          .retry_first = 1s,
          .retry_longest = 5min,
          .unknown_alarm_after = 1h,
          .write_create = write_create,
          .write_refund = write_refund,
          .write_capture = write_capture};
}

}  // namespace

TestTerms::TestTerms()
    : shop{MerchantId{"shop"}, {"sure", "forgetful", "blunt"}, {{"ship"}, {"points"}, {"coupon"}}},
      providers{provider_terms("sure", true, true, 3), provider_terms("forgetful", false, true, 1),
                provider_terms("blunt", false, false, 0)} {}

MerchantSettings const* TestTerms::merchant(MerchantId const& id) const { return id == shop.id ? &shop : nullptr; }

ProviderTerms const* TestTerms::provider(std::string_view name) const {
  auto const at = std::ranges::find(providers, name, &ProviderTerms::name);
  return at == providers.end() ? nullptr : &*at;
}

AttemptId attempt_id(int n) { return AttemptId{fmt::format("pay_{:026}", n)}; }

RefundId refund_id(int n) { return RefundId{fmt::format("ref_r{:025}", n)}; }

CaptureId capture_id(int n) { return CaptureId{fmt::format("cap_{:026}", n)}; }

RegisterOrder registration(Money amount) { return {order_key(), amount, Policy::single, ""}; }

BeginAttempt beginning(int n, std::string idempotency_key, std::string provider, std::string method) {
  return {.key = order_key(),
          .attempt = attempt_id(n),
          .idempotency_key = std::move(idempotency_key),
          .provider = std::move(provider),
          .method = std::move(method),
          .amount_minor = {},
          .currency = {},
          .metadata = {}};
}

Answer answer(Outcome outcome, std::string code) {
  Answer made;
  made.outcome = outcome;
  made.code = std::move(code);
  made.text = "text";
  if (outcome == Outcome::requires_action) made.action_url = "https://bank.example/act";
  return made;
}

RecordOutcome outcome(int n, Evidence evidence, Outcome outcome_) {
  return outcome(n, evidence, answer(outcome_, std::string{to_text(outcome_)}));
}

RecordOutcome outcome(int n, Evidence evidence, Answer answer) {
  return {order_key(), attempt_id(n), evidence, std::move(answer), "", std::nullopt};
}

ApplyNotice notice(std::string event_id, int n, Answer answer) {
  return {"sure", std::move(event_id), attempt_id(n).value, "", std::move(answer), "body"};
}

BeginRefund refund_request(int n, std::string idempotency_key, std::int64_t amount_minor, int of_attempt) {
  return {.merchant = MerchantId{"shop"},
          .attempt = attempt_id(of_attempt),
          .refund = refund_id(n),
          .idempotency_key = std::move(idempotency_key),
          .amount_minor = amount_minor,
          .currency = {},
          .reason = fmt::format("line {}", n),
          .actor = "ann"};
}

BeginCapture capture_request(int n, std::string idempotency_key, std::int64_t amount_minor, bool is_final) {
  return {.merchant = MerchantId{"shop"},
          .attempt = attempt_id(1),
          .capture = capture_id(n),
          .idempotency_key = std::move(idempotency_key),
          .amount_minor = amount_minor,
          .currency = {},
          .is_final = is_final,
          .actor = "ann"};
}

RecordOfflinePayment offline_payment(int n, std::string idempotency_key) {
  return {order_key(), attempt_id(n), std::move(idempotency_key), usd(1999), "paid at the counter", "R-7", "ann"};
}

Attempt attempt_in(AttemptState state, int n) {
  Attempt attempt{.id = attempt_id(n), .key = fmt::format("k-{}", n), .provider = "sure", .amount = usd(1999)};
  attempt.fingerprint = fingerprint(money_fields(order_key().order, attempt));
  attempt.state = state;
  attempt.exposed = true;
  attempt.request = fmt::format("request of {}", n);
  attempt.created_at = attempt.updated_at = test_start;
  attempt.first_sent_at = test_start;
  attempt.expires_at = test_start + 15min;
  attempt.cancel_requested = state == AttemptState::released || state == AttemptState::canceled;
  if (state == AttemptState::requires_action) attempt.action_url = "https://bank.example/act";
  if (state != AttemptState::processing) {
    attempt.evidence = Evidence::response;
    attempt.answer_code = "earlier";
    attempt.answer = "earlier text";
  }
  if (is_watched(state))
    attempt.due_at = test_start + 12s;
  else
    attempt.settled_at = test_start;
  return attempt;
}

Order order_with(std::vector<Attempt> attempts) {
  OrderHead head{
      .key = order_key(), .amount = usd(1999), .metadata = {}, .created_at = test_start, .updated_at = test_start};
  for (Attempt const& attempt : attempts) {
    if (is_live(attempt.state)) head.held_minor += attempt.amount.minor;
    if (pays(attempt)) head.paid_minor += attempt.amount.minor;
  }
  if (head.paid_minor > 0) head.state = OrderState::paid;
  return {std::move(head), std::move(attempts), {}};
}

Reply const& replied(Decision const& decision) {
  if (!decision.reply) throw std::logic_error("the command was refused: " + decision.reply.error().error.detail);
  return *decision.reply;
}

Refusal const& refusal(Decision const& decision) {
  if (decision.reply) throw std::logic_error("the command was not refused");
  return decision.reply.error();
}

ErrorCode refused_with(Decision const& decision) { return refusal(decision).error.code; }

std::vector<CallKind> calls_of(Decision const& decision) {
  std::vector<CallKind> kinds;
  for (ProviderCall const& call : decision.calls) kinds.push_back(call.kind);
  return kinds;
}

std::vector<std::string> event_types(Decision const& decision) {
  std::vector<std::string> types;
  for (TimelineEvent const& event : decision.changes.events) types.push_back(event.type);
  return types;
}

Order const* RulesWorld::find(OrderKey const& key) const {
  auto const at = orders.find(key);
  return at == orders.end() ? nullptr : &at->second;
}

Order const* RulesWorld::find_by_number(AttemptId const& id) const {
  for (auto const& [key, order] : orders)
    if (order.find(id)) return &order;
  return nullptr;
}

Decision RulesWorld::decide(Command const& command) const {
  Situation situation;
  auto const find_key = [&](MerchantId const& merchant, std::string_view idempotency_key) {
    for (auto const& [held, order] : orders)
      for (Attempt const& attempt : order.attempts)
        if (held.merchant == merchant && attempt.key == idempotency_key) {
          situation.key_order = &order;
          situation.key_attempt = &attempt;
        }
    for (auto const& [held, order] : orders)
      for (Refund const& refund : order.refunds)
        if (held.merchant == merchant && refund.key == idempotency_key) {
          situation.key_order = &order;
          situation.key_refund = &refund;
        }
    for (auto const& [held, order] : orders)
      for (Capture const& capture : order.captures)
        if (held.merchant == merchant && capture.key == idempotency_key) {
          situation.key_order = &order;
          situation.key_capture = &capture;
        }
  };
  if (auto const* begin = std::get_if<BeginAttempt>(&command)) find_key(begin->key.merchant, begin->idempotency_key);
  if (auto const* offline = std::get_if<RecordOfflinePayment>(&command))
    find_key(offline->key.merchant, offline->idempotency_key);
  if (auto const* refund = std::get_if<BeginRefund>(&command)) find_key(refund->merchant, refund->idempotency_key);
  if (auto const* capture = std::get_if<BeginCapture>(&command)) find_key(capture->merchant, capture->idempotency_key);
  if (auto const* notice = std::get_if<ApplyNotice>(&command)) {
    situation.order = find_by_number(AttemptId{notice->number});
    auto const known = notices.find({notice->provider, notice->event_id});
    if (known != notices.end()) situation.known_notice = &known->second;
  } else if (auto const* cancel = std::get_if<CancelAttempt>(&command)) {
    situation.order = find_by_number(cancel->attempt);
  } else if (auto const* refund = std::get_if<BeginRefund>(&command)) {
    situation.order = find_by_number(refund->attempt);
    if (situation.order && situation.order->head.key.merchant != refund->merchant) situation.order = nullptr;
  } else if (auto const* capture = std::get_if<BeginCapture>(&command)) {
    situation.order = find_by_number(capture->attempt);
    if (situation.order && situation.order->head.key.merchant != capture->merchant) situation.order = nullptr;
  } else {
    std::visit(
        [&](auto const& other) {
          if constexpr (requires { other.key; }) situation.order = find(other.key);
        },
        command);
  }
  return payonce::decide(situation, command, terms, now);
}

Decision RulesWorld::run(Command const& command) {
  Decision decision = decide(command);
  apply(decision.changes);
  return decision;
}

namespace {

template <class Row>
void put(std::vector<Row>& rows, Row const& row) {
  auto const at = std::ranges::find(rows, row.id, &Row::id);
  if (at == rows.end())
    rows.push_back(row);
  else
    *at = row;
}

}  // namespace

void RulesWorld::apply(Changes const& changes) {
  if (changes.head)
    orders.try_emplace(changes.head->key, Order{*changes.head, {}, {}}).first->second.head = *changes.head;
  for (Attempt const& attempt : changes.attempts) {
    auto const* const holder = find_by_number(attempt.id);
    OrderKey const key = changes.head ? changes.head->key : holder ? holder->head.key : changes.events.at(0).key;
    put(orders.at(key).attempts, attempt);
  }
  for (Refund const& refund : changes.refunds) put(orders.at(find_by_number(refund.attempt)->head.key).refunds, refund);
  for (Capture const& it : changes.captures) put(orders.at(find_by_number(it.attempt)->head.key).captures, it);
  effects.insert(effects.end(), changes.effects.begin(), changes.effects.end());
  events.insert(events.end(), changes.events.begin(), changes.events.end());
  journal.insert(journal.end(), changes.postings.begin(), changes.postings.end());
  if (changes.discrepancy) discrepancies.try_emplace(changes.discrepancy->id, *changes.discrepancy);
  if (changes.notice) notices[{changes.notice->provider, changes.notice->event_id}] = *changes.notice;
}

Attempt const& RulesWorld::attempt(int n) const {
  Attempt const* const found = order().find(attempt_id(n));
  if (!found) throw std::logic_error(fmt::format("there is no attempt {}", n));
  return *found;
}

Refund const& RulesWorld::refund(int n) const {
  Refund const* const found = refund_of(n);
  if (!found) throw std::logic_error(fmt::format("attempt {} has no refund", n));
  return *found;
}

Refund const* RulesWorld::refund_of(int n) const {
  auto const& refunds = order().refunds;
  auto const at = std::ranges::find(refunds, attempt_id(n), &Refund::attempt);
  return at == refunds.end() ? nullptr : &*at;
}

Capture const& RulesWorld::capture(int n) const {
  Capture const* const found = order().find(capture_id(n));
  if (!found) throw std::logic_error(fmt::format("there is no capture {}", n));
  return *found;
}

std::string RulesWorld::substance_of(Changes const& changes) const {
  std::string found;
  if (changes.head) found += "head; ";
  for (Attempt const& attempt : changes.attempts) {
    Order const* const order = find_by_number(attempt.id);
    std::string const before = order ? describe(*order->find(attempt.id), Bookkeeping::without) : "";
    std::string const after = describe(attempt, Bookkeeping::without);
    if (before != after) found += fmt::format("attempt from {} to {}; ", before, after);
    if (!is_watched(attempt.state)) found += "touched an ended attempt; ";
  }
  for (Refund const& refund : changes.refunds) {
    Order const* const order = find_by_number(refund.attempt);
    Refund const* const known = order ? order->find(refund.id) : nullptr;
    std::string const before = known ? describe(*known, Bookkeeping::without) : "";
    std::string const after = describe(refund, Bookkeeping::without);
    if (before != after) found += fmt::format("refund from {} to {}; ", before, after);
  }
  for (Capture const& capture : changes.captures) {
    Order const* const order = find_by_number(capture.attempt);
    Capture const* const known = order ? order->find(capture.id) : nullptr;
    std::string const before = known ? describe(*known, Bookkeeping::without) : "";
    std::string const after = describe(capture, Bookkeeping::without);
    if (before != after) found += fmt::format("capture from {} to {}; ", before, after);
  }
  for (Effect const& effect : changes.effects) found += fmt::format("effect {}; ", effect.id());
  for (TimelineEvent const& event : changes.events) found += fmt::format("event {} {}; ", event.type, event.text);
  // A notice that still finds no attempt is only due again.
  if (changes.notice) {
    auto const known = notices.find({changes.notice->provider, changes.notice->event_id});
    bool const waits_on = known != notices.end() && known->second.disposition == NoticeDisposition::unmatched &&
                          changes.notice->disposition == NoticeDisposition::unmatched;
    if (!waits_on) found += "notice; ";
  }
  return found;
}

}  // namespace payonce
