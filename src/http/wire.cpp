#include "http/wire.h"

#include <array>
#include <boost/json.hpp>

#include "base/utf8.h"
#include "http/message.h"

namespace payonce {

namespace {

namespace json = boost::json;

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

void put_text(json::object& object, std::string_view key, std::string const& value) {
  if (!value.empty()) object[key] = to_utf8(value);
}

void put_time(json::object& object, std::string_view key, std::optional<Time> const& time) {
  if (time) object[key] = to_rfc3339(*time);
}

// Metadata is stored as the JSON text it came as.
void put_metadata(json::object& object, std::string const& metadata) {
  if (!metadata.empty()) object["metadata"] = json::parse(metadata);
}

json::object payment_object(OrderId const& order, Attempt const& attempt, json::storage_ptr storage = {}) {
  Message const message = message_for(attempt.state);
  json::object payment{std::move(storage)};
  payment.reserve(21);
  payment["id"] = attempt.id.value;
  payment["order_id"] = order.value;
  payment["state"] = to_text(attempt.state);
  payment["settled"] = !is_watched(attempt.state);
  payment["amount"] = attempt.amount.minor;
  payment["currency"] = attempt.amount.currency.code();
  payment["captured"] = came_minor(attempt);
  payment["provider"] = attempt.provider;
  put_text(payment, "method", attempt.method);
  put_text(payment, "part", attempt.part);
  payment["retry"] = retry_for(attempt.state);
  payment["message"] = json::object{{"en", message.en}, {"zh", message.zh}};
  put_text(payment, "action_url", attempt.action_url);
  put_text(payment, "provider_payment_id", attempt.provider_ref);
  put_text(payment, "provider_code", attempt.answer_code);
  if (attempt.evidence) payment["evidence"] = to_text(*attempt.evidence);
  if (attempt.surplus) payment["surplus"] = true;
  if (attempt.disputes > 0) payment["disputes"] = attempt.disputes;
  put_text(payment, "needs_review", attempt.review);
  put_metadata(payment, attempt.metadata);
  payment["created_at"] = to_rfc3339(attempt.created_at);
  put_time(payment, "settled_at", attempt.settled_at);
  payment["expires_at"] = to_rfc3339(attempt.expires_at);
  return payment;
}

json::object order_object(OrderHead const& head) {
  json::object order{{"id", head.key.order.value},     {"state", to_text(head.state)},
                     {"amount", head.amount.minor},    {"currency", head.amount.currency.code()},
                     {"policy", to_text(head.policy)}, {"capture", to_text(head.capture)},
                     {"paid", head.paid_minor},        {"held", head.held_minor}};
  put_metadata(order, head.metadata);
  put_time(order, "expires_at", head.expires_at);
  order["created_at"] = to_rfc3339(head.created_at);
  order["updated_at"] = to_rfc3339(head.updated_at);
  return order;
}

json::object refund_object(OrderId const& order, Refund const& refund) {
  Message const message = message_for(refund.state);
  json::object object{{"id", refund.id.value},
                      {"payment_id", refund.attempt.value},
                      {"order_id", order.value},
                      {"state", to_text(refund.state)},
                      {"settled", !is_watched(refund.state)},
                      {"amount", refund.amount.minor},
                      {"currency", refund.amount.currency.code()},
                      {"reason", to_utf8(refund.reason)},
                      {"origin", to_text(refund.origin)},
                      {"retry", retry_for(refund.state)},
                      {"message", json::object{{"en", message.en}, {"zh", message.zh}}}};
  put_text(object, "provider_refund_id", refund.provider_ref);
  put_text(object, "provider_code", refund.answer_code);
  if (refund.evidence) object["evidence"] = to_text(*refund.evidence);
  put_text(object, "needs_review", refund.review);
  object["created_at"] = to_rfc3339(refund.created_at);
  object["updated_at"] = to_rfc3339(refund.updated_at);
  return object;
}

json::object capture_object(OrderId const& order, Capture const& capture) {
  Message const message = message_for(capture.state);
  json::object object{{"id", capture.id.value},
                      {"payment_id", capture.attempt.value},
                      {"order_id", order.value},
                      {"state", to_text(capture.state)},
                      {"settled", !is_watched(capture.state)},
                      {"amount", capture.amount.minor},
                      {"currency", capture.amount.currency.code()},
                      {"final", capture.is_final},
                      {"retry", retry_for(capture.state)},
                      {"message", json::object{{"en", message.en}, {"zh", message.zh}}}};
  put_text(object, "provider_capture_id", capture.provider_ref);
  put_text(object, "provider_code", capture.answer_code);
  if (capture.evidence) object["evidence"] = to_text(*capture.evidence);
  object["created_at"] = to_rfc3339(capture.created_at);
  object["updated_at"] = to_rfc3339(capture.updated_at);
  return object;
}

json::object delivery_object(Effect const& effect) {
  json::object object{{"id", effect.id()},
                      {"effect", effect.name},
                      {"order_id", effect.key.order.value},
                      {"payment_id", effect.attempt.value},
                      {"state", to_text(effect.state)},
                      {"tries", effect.tries}};
  put_text(object, "refund_id", effect.refund.value);
  put_time(object, "next_try_at", effect.due_at);
  put_time(object, "delivered_at", effect.delivered_at);
  put_text(object, "last_error", effect.last_error);
  object["created_at"] = to_rfc3339(effect.created_at);
  return object;
}

json::object event_object(StoredEvent const& stored) {
  TimelineEvent const& event = stored.event;
  json::object object{{"cursor", std::to_string(stored.sequence)},
                      {"type", event.type},
                      {"at", to_rfc3339(event.at)},
                      {"order_id", event.key.order.value}};
  put_text(object, "payment_id", event.attempt.value);
  put_text(object, "refund_id", event.refund.value);
  put_text(object, "from", event.from);
  put_text(object, "to", event.to);
  if (event.evidence) object["evidence"] = to_text(*event.evidence);
  put_text(object, "provider_code", event.code);
  put_text(object, "actor", event.actor);
  put_text(object, "text", event.text);
  return object;
}

json::object discrepancy_object(Discrepancy const& it) {
  json::object object{{"id", it.id},
                      {"kind", to_text(it.kind)},
                      {"provider", it.provider},
                      {"day", it.day},
                      {"payment_id", it.number},
                      {"amount", it.amount.minor},
                      {"currency", it.amount.currency.code()},
                      {"text", it.text}};
  put_text(object, "line", it.kind == DiscrepancyKind::missing ? std::string{} : it.subject);
  object["found_at"] = to_rfc3339(it.found_at);
  return object;
}

template <class Rows, class ToObject>
json::array array_of(Rows const& rows, ToObject to_object) {
  json::array array;
  array.reserve(rows.size());
  for (auto const& row : rows) array.push_back(to_object(row));
  return array;
}

}  // namespace

std::string payment_json(OrderId const& order, Attempt const& attempt) {
  // The answer that is written most; its parts need no allocations of their own.
  std::array<unsigned char, 4096> buffer;
  json::monotonic_resource memory{buffer.data(), buffer.size()};
  return json::serialize(payment_object(order, attempt, &memory));
}

std::string refund_json(OrderId const& order, Refund const& refund) {
  return json::serialize(refund_object(order, refund));
}

std::string capture_json(OrderId const& order, Capture const& capture) {
  return json::serialize(capture_object(order, capture));
}

std::string order_json(OrderHead const& head) { return json::serialize(order_object(head)); }

std::string order_json(Order const& order, std::span<Effect const> effects) {
  json::object object = order_object(order.head);
  OrderId const& id = order.head.key.order;
  object["payments"] = array_of(order.attempts, [&](Attempt const& attempt) { return payment_object(id, attempt); });
  object["captures"] = array_of(order.captures, [&](Capture const& capture) { return capture_object(id, capture); });
  object["refunds"] = array_of(order.refunds, [&](Refund const& refund) { return refund_object(id, refund); });
  object["effects"] = array_of(effects, delivery_object);
  return json::serialize(object);
}

std::string events_json(std::span<StoredEvent const> events, std::int64_t after) {
  std::int64_t const next = events.empty() ? after : events.back().sequence;
  return json::serialize(json::object{{"events", array_of(events, event_object)}, {"next", std::to_string(next)}});
}

std::string deliveries_json(std::span<Effect const> effects) {
  return json::serialize(json::object{{"deliveries", array_of(effects, delivery_object)}});
}

std::string discrepancies_json(std::span<Discrepancy const> discrepancies) {
  return json::serialize(json::object{{"discrepancies", array_of(discrepancies, discrepancy_object)}});
}

std::string checkout_token_json(std::string_view token, std::string_view url, Time expires_at) {
  return json::serialize(json::object{{"token", token}, {"url", url}, {"expires_at", to_rfc3339(expires_at)}});
}

std::string payments_json(std::span<FoundAttempt const> attempts) {
  return json::serialize(json::object{{"payments", array_of(attempts, [](FoundAttempt const& found) {
                                         return payment_object(found.key.order, found.attempt);
                                       })}});
}

}  // namespace payonce
