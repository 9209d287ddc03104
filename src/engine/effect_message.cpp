#include "engine/effect_message.h"

#include <boost/json.hpp>

#include "base/crypto.h"
#include "base/utf8.h"

namespace payonce {

namespace {

namespace json = boost::json;
constexpr std::string_view secret_prefix = "whsec_";

}  // namespace

namespace {

// What moved, or is held.
Money money_of(DueEffect const& due) {
  if (due.refund) return due.refund->amount;
  std::int64_t const came = came_minor(due.attempt);
  return {came > 0 ? came : due.attempt.amount.minor, due.attempt.amount.currency};
}

}  // namespace

std::string effect_body(DueEffect const& due, Trigger on) {
  Attempt const& attempt = due.attempt;
  Money const amount = money_of(due);
  json::object data{{"effect", due.effect.name},          {"order_id", due.effect.key.order.value},
                    {"payment_id", attempt.id.value},     {"amount", amount.minor},
                    {"currency", amount.currency.code()}, {"provider", attempt.provider}};
  if (!attempt.part.empty()) data["part"] = attempt.part;
  if (due.refund) {
    data["refund_id"] = due.refund->id.value;
    data["reason"] = to_utf8(due.refund->reason);
    data["surplus"] = due.refund->gives_surplus_back();
  }
  return json::serialize(
      json::object{{"type", to_text(on)}, {"timestamp", to_rfc3339(due.effect.created_at)}, {"data", data}});
}

std::string effect_signature(std::string_view id, std::string_view timestamp, std::string_view body,
                             std::span<std::string const> secrets) {
  std::string signed_text{id};
  signed_text.append(".").append(timestamp).append(".").append(body);
  std::string signature;
  for (std::string const& secret : secrets) {
    if (!signature.empty()) signature += ' ';
    signature += "v1," + base64_encode(hmac_sha256(secret, signed_text));
  }
  return signature;
}

HttpCall effect_call(DueEffect const& due, EffectTarget const& target, Time now) {
  std::string const timestamp = std::to_string(to_epoch_ms(now) / 1000);
  HttpCall call;
  call.method = "POST";
  call.url = target.url;
  call.body = effect_body(due, target.on);
  call.headers = {{"Content-Type", "application/json"},
                  {"webhook-id", due.effect.id()},
                  {"webhook-timestamp", timestamp},
                  {"webhook-signature", effect_signature(due.effect.id(), timestamp, call.body, target.secrets)}};
  call.total_timeout = target.timeout;
  call.connect_timeout = target.timeout / 2;
  // The receiver knows the id; a repeat is what it has to expect anyway.
  call.idempotent = true;
  return call;
}

Result<std::string> parse_effect_secret(std::string_view text) {
  auto const bytes = text.starts_with(secret_prefix) ? base64_decode(text.substr(secret_prefix.size())) : std::nullopt;
  // Standard Webhooks asks for 24 to 64 bytes.
  if (!bytes || bytes->size() < 24 || bytes->size() > 64)
    return fail(ErrorCode::invalid_request, "an effect's secret must be whsec_ and base64 of 24 to 64 random bytes");
  return *bytes;
}

}  // namespace payonce
