#include "http/wire.h"

#include "base/json_object.h"
#include "http/message.h"

namespace payonce {

namespace {

// Which key may be used to go on: the same one asks again for this payment, a new one begins another.
std::string_view retry_for(AttemptState state) {
  switch (state) {
    case AttemptState::processing:
    case AttemptState::unknown:
    case AttemptState::requires_action:
    case AttemptState::authorized:
    case AttemptState::released: return "same_key";
    case AttemptState::failed:
    case AttemptState::canceled: return "new_key";
    case AttemptState::succeeded:
    case AttemptState::disputed:
    case AttemptState::reversed: return "none";
  }
  return "none";
}

std::string_view retry_for(RefundState state) {
  switch (state) {
    case RefundState::processing:
    case RefundState::unknown: return "same_key";
    case RefundState::failed:
    case RefundState::returned: return "new_key";
    case RefundState::succeeded: return "none";
  }
  return "none";
}

std::string_view retry_for(CaptureState state) {
  switch (state) {
    case CaptureState::processing:
    case CaptureState::unknown: return "same_key";
    case CaptureState::failed: return "new_key";
    case CaptureState::succeeded: return "none";
  }
  return "none";
}

void put_text(JsonObject& object, std::string_view name, std::string_view value) {
  if (!value.empty()) object.put(name, value);
}

void put_time(JsonObject& object, std::string_view name, std::optional<Time> const& time) {
  if (time) object.put(name, to_rfc3339(*time));
}

// Metadata is stored as the JSON text that the parser of its request wrote (Body::metadata).
void put_metadata(JsonObject& object, std::string_view metadata) {
  if (!metadata.empty()) object.put_json("metadata", metadata);
}

JsonObject payment_object(OrderId const& order, Attempt const& attempt) {
  JsonObject payment;
  payment.put("id", attempt.id.value);
  payment.put("order_id", order.value);
  payment.put("state", to_text(attempt.state));
  payment.put("settled", !is_watched(attempt.state));
  payment.put("amount", attempt.amount.minor);
  payment.put("currency", attempt.amount.currency.code());
  payment.put("captured", came_minor(attempt));
  payment.put("provider", attempt.provider);
  put_text(payment, "method", attempt.method);
  put_text(payment, "part", attempt.part);
  payment.put("retry", retry_for(attempt.state));
  payment.put("message", message_object(message_for(attempt.state)));
  put_text(payment, "action_url", attempt.action_url);
  put_text(payment, "provider_payment_id", attempt.provider_ref);
  put_text(payment, "provider_code", attempt.answer_code);
  if (attempt.evidence) payment.put("evidence", to_text(*attempt.evidence));
  if (attempt.surplus) payment.put("surplus", true);
  if (attempt.disputes > 0) payment.put("disputes", attempt.disputes);
  put_text(payment, "needs_review", attempt.review);
  put_metadata(payment, attempt.metadata);
  payment.put("created_at", to_rfc3339(attempt.created_at));
  put_time(payment, "settled_at", attempt.settled_at);
  payment.put("expires_at", to_rfc3339(attempt.expires_at));
  return payment;
}

JsonObject order_object(OrderHead const& head) {
  JsonObject order;
  order.put("id", head.key.order.value);
  order.put("state", to_text(head.state));
  order.put("amount", head.amount.minor);
  order.put("currency", head.amount.currency.code());
  order.put("policy", to_text(head.policy));
  order.put("capture", to_text(head.capture));
  order.put("paid", head.paid_minor);
  order.put("held", head.held_minor);
  put_metadata(order, head.metadata);
  put_time(order, "expires_at", head.expires_at);
  order.put("created_at", to_rfc3339(head.created_at));
  order.put("updated_at", to_rfc3339(head.updated_at));
  return order;
}

// What the answers about a refund and a capture begin with.
template <class Movement>
JsonObject movement_object(OrderId const& order, Movement const& movement) {
  JsonObject object;
  object.put("id", movement.id.value);
  object.put("payment_id", movement.attempt.value);
  object.put("order_id", order.value);
  object.put("state", to_text(movement.state));
  object.put("settled", !is_watched(movement.state));
  object.put("amount", movement.amount.minor);
  object.put("currency", movement.amount.currency.code());
  return object;
}

JsonObject refund_object(OrderId const& order, Refund const& refund) {
  JsonObject object = movement_object(order, refund);
  object.put("reason", refund.reason);
  object.put("origin", to_text(refund.origin));
  object.put("retry", retry_for(refund.state));
  object.put("message", message_object(message_for(refund.state)));
  put_text(object, "provider_refund_id", refund.provider_ref);
  put_text(object, "provider_code", refund.answer_code);
  if (refund.evidence) object.put("evidence", to_text(*refund.evidence));
  put_text(object, "needs_review", refund.review);
  object.put("created_at", to_rfc3339(refund.created_at));
  object.put("updated_at", to_rfc3339(refund.updated_at));
  return object;
}

JsonObject capture_object(OrderId const& order, Capture const& capture) {
  JsonObject object = movement_object(order, capture);
  object.put("final", capture.is_final);
  object.put("retry", retry_for(capture.state));
  object.put("message", message_object(message_for(capture.state)));
  put_text(object, "provider_capture_id", capture.provider_ref);
  put_text(object, "provider_code", capture.answer_code);
  if (capture.evidence) object.put("evidence", to_text(*capture.evidence));
  object.put("created_at", to_rfc3339(capture.created_at));
  object.put("updated_at", to_rfc3339(capture.updated_at));
  return object;
}

JsonObject delivery_object(Effect const& effect) {
  JsonObject object;
  object.put("id", effect.id());
  object.put("effect", effect.name);
  object.put("order_id", effect.key.order.value);
  object.put("payment_id", effect.attempt.value);
  object.put("state", to_text(effect.state));
  object.put("tries", effect.tries);
  put_text(object, "refund_id", effect.refund.value);
  put_time(object, "next_try_at", effect.due_at);
  put_time(object, "delivered_at", effect.delivered_at);
  put_text(object, "last_error", effect.last_error);
  object.put("created_at", to_rfc3339(effect.created_at));
  return object;
}

JsonObject event_object(StoredEvent const& stored) {
  TimelineEvent const& event = stored.event;
  JsonObject object;
  object.put("cursor", std::to_string(stored.sequence));
  object.put("type", event.type);
  object.put("at", to_rfc3339(event.at));
  object.put("order_id", event.key.order.value);
  put_text(object, "payment_id", event.attempt.value);
  put_text(object, "refund_id", event.refund.value);
  put_text(object, "from", event.from);
  put_text(object, "to", event.to);
  if (event.evidence) object.put("evidence", to_text(*event.evidence));
  put_text(object, "provider_code", event.code);
  put_text(object, "actor", event.actor);
  put_text(object, "text", event.text);
  return object;
}

JsonObject discrepancy_object(Discrepancy const& it) {
  JsonObject object;
  object.put("id", it.id);
  object.put("kind", to_text(it.kind));
  object.put("provider", it.provider);
  object.put("day", it.day);
  object.put("payment_id", it.number);
  object.put("amount", it.amount.minor);
  object.put("currency", it.amount.currency.code());
  object.put("text", it.text);
  put_text(object, "line", it.kind == DiscrepancyKind::missing ? std::string{} : it.subject);
  object.put("found_at", to_rfc3339(it.found_at));
  return object;
}

// A page of rows under their name.
template <class Rows, class ToObject>
std::string page_json(std::string_view name, Rows const& rows, ToObject to_object) {
  JsonObject page;
  page.put_json(name, json_array(rows, to_object));
  return std::move(page).text();
}

}  // namespace

std::string payment_json(OrderId const& order, Attempt const& attempt) { return payment_object(order, attempt).text(); }

std::string refund_json(OrderId const& order, Refund const& refund) { return refund_object(order, refund).text(); }

std::string capture_json(OrderId const& order, Capture const& capture) { return capture_object(order, capture).text(); }

std::string order_json(OrderHead const& head) { return order_object(head).text(); }

std::string order_json(Order const& order, std::span<Effect const> effects) {
  OrderId const& id = order.head.key.order;
  JsonObject object = order_object(order.head);
  object.put_json("payments", json_array(order.attempts, [&](Attempt const& it) { return payment_object(id, it); }));
  object.put_json("captures", json_array(order.captures, [&](Capture const& it) { return capture_object(id, it); }));
  object.put_json("refunds", json_array(order.refunds, [&](Refund const& it) { return refund_object(id, it); }));
  object.put_json("effects", json_array(effects, delivery_object));
  return std::move(object).text();
}

std::string events_json(std::span<StoredEvent const> events, std::int64_t after) {
  JsonObject page;
  page.put_json("events", json_array(events, event_object));
  page.put("next", std::to_string(events.empty() ? after : events.back().sequence));
  return std::move(page).text();
}

std::string deliveries_json(std::span<Effect const> effects) {
  return page_json("deliveries", effects, delivery_object);
}

std::string discrepancies_json(std::span<Discrepancy const> discrepancies) {
  return page_json("discrepancies", discrepancies, discrepancy_object);
}

std::string checkout_token_json(std::string_view token, std::string_view url, Time expires_at) {
  JsonObject object;
  object.put("token", token);
  object.put("url", url);
  object.put("expires_at", to_rfc3339(expires_at));
  return std::move(object).text();
}

std::string payments_json(std::span<FoundAttempt const> attempts) {
  return page_json("payments", attempts,
                   [](FoundAttempt const& it) { return payment_object(it.key.order, it.attempt); });
}

}  // namespace payonce
