// The birth of an attempt. Here stands the rule "one live attempt per order"; the database repeats it as the unique
// index one_live_or_paid_attempt.
#include <fmt/compile.h>

#include <algorithm>

#include "payment/fingerprint.h"
#include "payment/rules.h"

namespace payonce {

namespace {

// The request's key is taken: the same request gets its attempt as it now stands, another one is refused.
Decision replay(Situation const& situation, BeginAttempt const& command, Time now) {
  Attempt const& attempt = *situation.key_attempt;
  OrderId const& order_id = situation.key_order->head.key.order;
  auto const field = first_difference(order_id, attempt, command);
  if (!field.empty()) return refuse_reused_key("payment " + attempt.id.value, field);

  Draft draft{*situation.key_order, now};
  if (attempt.id != command.attempt) return draft.finish(ReplyKind::confirmed, &attempt.id);
  // Our own commit, whose answer was lost. The provider call is still ours to make unless recovery took the attempt up.
  bool const untouched = attempt.state == AttemptState::processing && attempt.tries == 0 && !attempt.evidence &&
                         attempt.exposed && !attempt.cancel_requested;
  if (untouched) draft.call(CallKind::create, attempt.id, true);
  return draft.finish(ReplyKind::created, &command.attempt);
}

// Whether the order, or this part of it, takes another attempt; the refusal if it does not.
std::optional<Decision> order_refuses(Order const& order, std::string_view part, Time now) {
  OrderHead const& head = order.head;
  if (Attempt const* holder = order.in_place(part); holder && is_live(holder->state))
    return refuse(
        ErrorCode::order_has_live_payment,
        fmt::format("Payment {} of this order is {} and may still charge; poll it, repeat its key, cancel it, or say "
                    "\"replace\": true",
                    holder->id.value, to_text(holder->state)),
        {}, &order, holder);
  if (head.state == OrderState::paid)
    return refuse(ErrorCode::order_already_paid, "The order is paid already", {}, &order, order.paying());
  if (head.state == OrderState::closed) return refuse(ErrorCode::order_closed, "The order is closed");
  if (head.expires_at && *head.expires_at <= now)
    return refuse(ErrorCode::order_closed, fmt::format("The order expired at {}", to_rfc3339(*head.expires_at)));
  if (head.policy == Policy::single && !part.empty())
    return refuse(ErrorCode::invalid_request, "Only orders with \"policy\": \"split\" are paid in parts", "part");
  if (Attempt const* payer = order.in_place(part))
    return refuse(ErrorCode::order_already_paid, fmt::format("Part \"{}\" of the order is paid already", part), "part",
                  &order, payer);
  return std::nullopt;
}

// What a payment of the order is over when its request names no amount.
std::int64_t asked_minor(Order const& order) {
  return order.head.amount.minor - order.paid_minor() - order.held_minor();
}

std::optional<Decision> amount_refused(Order const& order, std::optional<std::int64_t> amount_minor,
                                       std::optional<std::string> const& currency) {
  OrderHead const& head = order.head;
  std::int64_t const open = asked_minor(order);
  if (head.policy == Policy::split && amount_minor.value_or(open) > open)
    return refuse(ErrorCode::amount_mismatch,
                  fmt::format("{} minor units of {} are neither paid nor held by payments under way, not {}", open,
                              head.amount.currency.code(), *amount_minor),
                  "amount");
  if (open < 1)
    return refuse(ErrorCode::order_has_live_payment, "All of the order is held by payments under way", "amount", &order,
                  order.live());
  if (head.policy == Policy::single && amount_minor && *amount_minor != head.amount.minor)
    return refuse(
        ErrorCode::amount_mismatch,
        fmt::format("The order stands at {} minor units of {}, not {}; leave the amount out or name the order's",
                    head.amount.minor, head.amount.currency.code(), *amount_minor),
        "amount");
  if (currency && *currency != head.amount.currency.code())
    return refuse(ErrorCode::amount_mismatch,
                  fmt::format("The order stands in {}, not {}", head.amount.currency.code(), currency->substr(0, 16)),
                  "currency");
  return std::nullopt;
}

// The order that the request brings along, if there is none yet.
std::optional<Order> order_brought_by(BeginAttempt const& command, Time now) {
  if (!command.registers_order || !command.amount_minor || !command.currency) return std::nullopt;
  Money const amount{*command.amount_minor, Currency::of(*command.currency)};
  return new_order(RegisterOrder{.key = command.key, .amount = amount, .policy = Policy::single, .metadata = {}}, now);
}

Attempt new_attempt(Order const& order, BeginAttempt const& command, ProviderTerms const& provider, Time now) {
  OrderHead const& head = order.head;
  Attempt attempt{.id = command.attempt,
                  .key = command.idempotency_key,
                  .fingerprint = {},
                  .provider = std::string{provider.name},
                  .method = command.method,
                  .amount = {command.amount_minor.value_or(asked_minor(order)), head.amount.currency},
                  .metadata = command.metadata};
  attempt.part = command.part;
  attempt.fingerprint = fingerprint(money_fields(head.key.order, attempt));
  attempt.exposed = true;
  attempt.first_sent_at = now;
  attempt.expires_at = std::min(now + provider.attempt_life, head.expires_at.value_or(Time::max()));
  attempt.request = provider.write_create(
      {attempt.id, head.key.order, attempt.amount, attempt.method, attempt.expires_at, head.capture});
  return attempt;
}

// The live attempt gives its place up for another one: because nothing of it ever left, or because it was asked to end
// (or can't be) and only the buyer could still make it charge, which the merchant then takes for surplus.
void make_way(Draft& draft, BeginAttempt const& command, MerchantSettings const* merchant, Terms const& terms) {
  Attempt const* const live = draft.order().in_place(command.part);
  if (!command.replaces || !live || !is_live(live->state)) return;
  if (!live->exposed) return end_unsent(draft, live->id, {});
  ProviderTerms const* const provider = terms.provider(live->provider);
  bool const was_tried_to_close = live->cancel_requested || !provider || !provider->close_is_proof;
  bool const may_release = merchant && merchant->switch_mode == SwitchMode::release;
  if (may_release && was_tried_to_close && live->state == AttemptState::requires_action)
    release(draft, live->id,
            fmt::format("Payment {} takes its place; this one is watched until it can't charge any more.",
                        command.attempt.value),
            terms);
}

}  // namespace

std::string refusal_of(ProviderTerms const& provider, Money amount) {
  return provider.refuses ? provider.refuses(amount) : std::string{};
}

Decision refuse_reused_key(std::string_view holder, std::string_view field) {
  return refuse(ErrorCode::idempotency_key_reused,
                fmt::format("This Idempotency-Key belongs to {}{}{}; use a new key for a new request", holder,
                            field.empty() ? "" : " with another ", field),
                std::string{field.empty() ? "Idempotency-Key" : field});
}

std::optional<Decision> held_key_refused(Situation const& situation) {
  if (situation.key_attempt) return refuse_reused_key("payment " + situation.key_attempt->id.value, {});
  if (situation.key_refund) return refuse_reused_key("refund " + situation.key_refund->id.value, {});
  if (situation.key_capture) return refuse_reused_key("capture " + situation.key_capture->id.value, {});
  return std::nullopt;
}

Decision begin_attempt(Situation const& situation, BeginAttempt const& command, Terms const& terms, Time now) {
  // The key comes before everything: a replay is answered even when the order, its state or the settings have changed.
  if (situation.key_attempt) return replay(situation, command, now);
  if (auto refusal = held_key_refused(situation)) return std::move(*refusal);

  std::optional<Order> const brought = situation.order ? std::nullopt : order_brought_by(command, now);
  Order const* const order = brought ? &*brought : situation.order;
  if (!order)
    return refuse(ErrorCode::not_found,
                  fmt::format("There is no order {}; register it with PUT /v1/orders/{}, or name amount and currency "
                              "and say \"register_order\": true",
                              command.key.order.value, command.key.order.value),
                  "order_id");
  MerchantSettings const* const merchant = terms.merchant(command.key.merchant);
  Draft draft{*order, now};
  if (brought) note_registered(draft);
  make_way(draft, command, merchant, terms);
  if (auto refusal = order_refuses(draft.order(), command.part, now)) return std::move(*refusal);
  if (auto refusal = amount_refused(draft.order(), command.amount_minor, command.currency)) return std::move(*refusal);
  if (!merchant || merchant->providers.empty())
    return refuse(ErrorCode::provider_unknown, "No provider is configured for this merchant", "provider");
  std::string const& name = command.provider.empty() ? merchant->providers.front() : command.provider;
  ProviderTerms const* const provider = terms.provider(name);
  if (!provider || std::ranges::find(merchant->providers, name) == merchant->providers.end())
    return refuse(ErrorCode::provider_unknown,
                  fmt::format("\"{}\" is not a provider of this merchant; configured: {}", name,
                              fmt::join(merchant->providers, ", ")),
                  "provider");
  if (order->head.capture == CaptureMode::manual && provider->captures_max == 0)
    return refuse(ErrorCode::invalid_request,
                  fmt::format("Provider {} takes money at once and can't hold it for a capture; pay by another one, or "
                              "register an order with \"capture\": \"automatic\"",
                              name),
                  "provider");
  Money const amount{command.amount_minor.value_or(asked_minor(draft.order())), order->head.amount.currency};
  if (auto const why = refusal_of(*provider, amount); !why.empty())
    return refuse(ErrorCode::invalid_request, why, "amount");

  // From here on it must succeed.
  Attempt attempt = new_attempt(draft.order(), command, *provider, now);
  attempt.due_at = lease_end(draft, *provider);
  Attempt const& added = draft.add(std::move(attempt));
  draft
      .note(added, "payment.created",
            fmt::format(FMT_COMPILE("Payment of {} by {} begun under key \"{}\"."), to_text(added.amount),
                        added.provider, added.key))
      .to = to_text(added.state);
  draft.call(CallKind::create, added.id, true);
  return draft.finish(ReplyKind::created, &command.attempt);
}

Decision record_offline_payment(Situation const& situation, RecordOfflinePayment const& command, Terms const& terms,
                                Time now) {
  BeginAttempt const as_request{.key = command.key,
                                .attempt = command.attempt,
                                .idempotency_key = command.idempotency_key,
                                .provider = "offline",
                                .method = command.document,
                                .amount_minor = command.amount.minor,
                                .currency = std::string{command.amount.currency.code()},
                                .metadata = {},
                                .part = command.part};
  if (situation.key_attempt) return replay(situation, as_request, now);
  if (auto refusal = held_key_refused(situation)) return std::move(*refusal);

  Order const* const order = situation.order;
  if (!order) return refuse(ErrorCode::not_found, "There is no such order", "order_id");
  if (auto refusal = order_refuses(*order, command.part, now)) return std::move(*refusal);
  if (auto refusal = amount_refused(*order, as_request.amount_minor, as_request.currency)) return std::move(*refusal);

  Draft draft{*order, now};
  Attempt attempt{.id = command.attempt,
                  .key = command.idempotency_key,
                  .fingerprint = {},
                  .provider = as_request.provider,
                  .method = command.document,
                  .amount = command.amount,
                  .metadata = {}};
  attempt.part = command.part;
  attempt.fingerprint = fingerprint(money_fields(command.key.order, attempt));
  attempt.state = AttemptState::succeeded;
  attempt.evidence = Evidence::operator_;
  attempt.answer_code = command.document;
  attempt.answer = command.reason;
  attempt.expires_at = now;
  attempt.settled_at = now;
  Attempt const& added = draft.add(std::move(attempt));
  auto& event = draft.note(added, "payment.succeeded",
                           fmt::format("{} received outside payonce, document {}: {}", to_text(added.amount),
                                       command.document, command.reason));
  event.to = to_text(AttemptState::succeeded);
  event.evidence = Evidence::operator_;
  event.actor = command.actor;
  book_success(draft, command.attempt, terms, AttemptState::processing);
  return draft.finish(ReplyKind::created, &command.attempt);
}

}  // namespace payonce
