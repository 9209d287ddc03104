#include "copy/describe.h"

#include <fmt/format.h>

#include <optional>

#include "base/utf8.h"

namespace payonce {

namespace {

std::string text(std::string_view value) { return std::string{value}; }
std::string text(bool value) { return value ? "true" : "false"; }
std::string text(std::int64_t value) { return std::to_string(value); }
std::string text(int value) { return std::to_string(value); }
std::string text(Time value) { return to_rfc3339(value); }
std::string text(Money const& value) { return fmt::format("{} {}", value.minor, value.currency.code()); }
template <class Tag>
std::string text(Named<Tag> const& value) {
  return value.value;
}
template <class Value>
  requires requires(Value value) { to_text(value); } && std::is_enum_v<Value>
std::string text(Value value) {
  return std::string{to_text(value)};
}
template <class Value>
std::string text(std::optional<Value> const& value) {
  return value ? text(*value) : "none";
}

template <class Value>
DescribedField field(std::string_view name, Value const& value) {
  return {name, text(value)};
}
DescribedField words(std::string_view name, std::string const& value) { return {name, value, true}; }

std::string name_of(OrderKey const& key) { return key.merchant.value + "/" + key.order.value; }

// As a database keeps it that keeps only text.
std::string mended_text(std::string const& value) {
  std::string mended;
  for (char const c : to_utf8(value)) {
    if (c == '\0')
      mended += "\uFFFD";
    else
      mended += c;
  }
  return mended;
}

}  // namespace

DescribedRow describe(OrderHead const& it) {
  return {"orders",
          name_of(it.key),
          {field("merchant_id", it.key.merchant), field("order_id", it.key.order), field("amount", it.amount),
           field("policy", it.policy), field("state", it.state), field("paid_minor", it.paid_minor),
           field("held_minor", it.held_minor), field("metadata", it.metadata), field("created_at", it.created_at),
           field("updated_at", it.updated_at), field("expires_at", it.expires_at), field("due_at", it.due_at),
           field("capture", it.capture)}};
}

DescribedRow describe_archived(OrderKey const& key, Time at) {
  return {"archived_orders", name_of(key), {field("order", name_of(key)), field("archived_at", at)}};
}

DescribedRow describe(OrderKey const& key, Attempt const& it) {
  return {"payment_attempts",
          it.id.value,
          {field("attempt_id", it.id),
           field("order", name_of(key)),
           field("idempotency_key", it.key),
           field("fingerprint", it.fingerprint),
           field("provider", it.provider),
           field("method", it.method),
           field("amount", it.amount),
           field("metadata", it.metadata),
           field("state", it.state),
           field("surplus", it.surplus),
           field("exposed", it.exposed),
           field("cancel_requested", it.cancel_requested),
           words("review", it.review),
           field("request", it.request),
           words("provider_ref", it.provider_ref),
           words("action_url", it.action_url),
           field("evidence", it.evidence),
           words("answer_code", it.answer_code),
           field("answer", it.answer),
           field("tries", it.tries),
           field("due_at", it.due_at),
           field("first_sent_at", it.first_sent_at),
           field("expires_at", it.expires_at),
           field("created_at", it.created_at),
           field("updated_at", it.updated_at),
           field("settled_at", it.settled_at),
           field("part", it.part),
           field("disputes", it.disputes),
           field("captured_minor", it.captured_minor)}};
}

DescribedRow describe(OrderKey const& key, Capture const& it) {
  return {"captures",
          it.id.value,
          {field("capture_id", it.id), field("order", name_of(key)), field("attempt_id", it.attempt),
           field("idempotency_key", it.key), field("amount", it.amount), field("is_final", it.is_final),
           field("state", it.state), field("request", it.request), words("provider_ref", it.provider_ref),
           field("evidence", it.evidence), words("answer_code", it.answer_code), field("answer", it.answer),
           field("tries", it.tries), field("due_at", it.due_at), field("created_at", it.created_at),
           field("updated_at", it.updated_at)}};
}

DescribedRow describe(OrderKey const& key, Refund const& it) {
  return {"refunds",
          it.id.value,
          {field("refund_id", it.id), field("order", name_of(key)), field("attempt_id", it.attempt),
           field("idempotency_key", it.key), field("reason", it.reason), field("amount", it.amount),
           field("state", it.state), words("review", it.review), field("request", it.request),
           words("provider_ref", it.provider_ref), field("evidence", it.evidence), words("answer_code", it.answer_code),
           field("answer", it.answer), field("tries", it.tries), field("due_at", it.due_at),
           field("created_at", it.created_at), field("updated_at", it.updated_at), field("origin", it.origin)}};
}

DescribedRow describe(StoredEvent const& stored) {
  TimelineEvent const& it = stored.event;
  return {"attempt_events",
          fmt::format("{} {}", name_of(it.key), stored.sequence),
          {field("sequence", stored.sequence), field("order", name_of(it.key)), field("attempt_id", it.attempt),
           field("refund_id", it.refund), field("type", it.type), field("from_state", it.from),
           field("to_state", it.to), field("evidence", it.evidence), words("actor", it.actor), words("code", it.code),
           words("text", it.text), field("at", it.at)}};
}

DescribedRow describe(Effect const& it) {
  return {"effects",
          it.id(),
          {field("effect", it.id()), field("order", name_of(it.key)), field("state", it.state),
           field("tries", it.tries), field("due_at", it.due_at), field("created_at", it.created_at),
           field("delivered_at", it.delivered_at), words("last_error", it.last_error)}};
}

DescribedRow describe(Posting const& it) {
  return {"journal",
          fmt::format("{} {}", name_of(it.key), it.attempt.value),
          {field("order", name_of(it.key)), field("attempt_id", it.attempt), field("refund_id", it.refund),
           field("debit", it.debit), field("credit", it.credit), field("amount", it.amount), field("at", it.at)}};
}

DescribedRow describe(NoticeRow const& it) {
  Answer const& answer = it.answer;
  return {"processed_webhook_events",
          it.provider + " " + it.event_id,
          {field("provider", it.provider), field("event_id", it.event_id), field("number", it.number),
           field("refund_number", it.refund_number), field("disposition", it.disposition),
           field("outcome", answer.outcome), words("provider_ref", answer.provider_ref), field("amount", answer.amount),
           words("answer_code", answer.code), field("answer", answer.text), words("action_url", answer.action_url),
           words("misfit", answer.misfit), field("body", it.body), field("tries", it.tries), field("due_at", it.due_at),
           field("received_at", it.received_at), field("statement_day", it.billed ? it.billed->day : "none"),
           field("fee", it.billed ? it.billed->fee : std::nullopt)}};
}

DescribedRow describe(StatementRow const& it) {
  return {"statements",
          it.provider + " " + it.day,
          {field("provider", it.provider), field("day", it.day), field("digest_hex", it.digest_hex),
           field("lines", it.lines), field("imported_at", it.imported_at)}};
}

DescribedRow describe(Discrepancy const& it) {
  return {
      "discrepancies",
      it.id,
      {field("discrepancy_id", it.id), field("merchant_id", it.merchant), field("kind", it.kind),
       field("provider", it.provider), field("day", it.day), field("subject", it.subject), field("number", it.number),
       field("amount", it.amount), words("text", it.text), field("found_at", it.found_at),
       field("resolved_at", it.resolved_at), words("resolved_by", it.resolved_by), words("note", it.note)}};
}

DescribedRow describe(ApiKeyRow const& it) {
  return {"api_keys",
          it.merchant.value + " " + it.name,
          {field("merchant_id", it.merchant), field("name", it.name), field("hash", it.hash_hex),
           field("created_at", it.created_at), field("revoked_at", it.revoked_at)}};
}

DescribedRow describe(AuditRow const& it) {
  return {"audit_log",
          fmt::format("{} {} at {}", it.merchant.value, it.action, to_rfc3339(it.at)),
          {field("merchant_id", it.merchant), words("actor", it.actor), field("action", it.action),
           field("detail", it.detail), field("at", it.at)}};
}

std::string difference(DescribedRow const& from, DescribedRow const& to, std::size_t& mended) {
  if (from.name != to.name) return fmt::format("{}: {} is missing, or {} is too much", from.table, from.name, to.name);
  for (std::size_t i = 0; i < from.fields.size(); ++i) {
    DescribedField const& ours = from.fields[i];
    std::string const& theirs = to.fields[i].value;
    if (ours.value == theirs) continue;
    // Values are not quoted: they may be what buyers and providers said.
    if (!ours.is_words || mended_text(ours.value) != theirs)
      return fmt::format("{}: {} of {} differs", from.table, ours.name, from.name);
    ++mended;
  }
  return {};
}

}  // namespace payonce
