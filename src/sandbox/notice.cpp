#include "sandbox/notice.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/crypto.h"
#include "base/id.h"

namespace payonce::sandbox {

namespace {

using namespace std::chrono_literals;

constexpr int parallel_deliveries = 10;
constexpr auto older_by = 5s;  // the "pending" notice of `reordered` claims to have been made before

std::string event_id(Time now, Random& random) { return "evt_" + mint_suffix(now, random); }

// The notice the bank would have sent before this one.
NoticeFacts older_pending(NoticeFacts const& facts, Random& random) {
  NoticeFacts older = facts;
  older.created_at = facts.created_at - older_by;
  older.id = event_id(older.created_at, random);
  older.type = facts.refund_number.empty() ? "charge.pending" : "refund.pending";
  older.status = "pending";
  return older;
}

// Makes one statement of the notice untrue, if that is what the fault asks for.
void falsify(NoticeFacts& facts, Fault fault, Random& random) {
  if (fault == Fault::wrong_amount) facts.amount_minor += 1;
  if (fault == Fault::wrong_currency) facts.currency = facts.currency == "EUR" ? "USD" : "EUR";
  if (fault == Fault::wrong_account) facts.account = "another-account";
  if (fault == Fault::foreign_number) facts.number = "SHOP-2024-000017";
  if (fault == Fault::unknown_number) facts.number = mint_attempt_id(facts.created_at, random).value;
}

}  // namespace

NoticeFacts facts_of(Charge const& charge, std::string_view account, Time now, Random& random) {
  return {.id = event_id(now, random),
          .type = fmt::format("charge.{}", to_text(charge.state)),
          .created_at = now,
          .account = std::string{account},
          .number = charge.number,
          .status = std::string{to_text(charge.state)},
          .amount_minor = told_minor(charge),
          .currency = charge.currency,
          .charge_id = charge.id,
          .about = charge.number};
}

NoticeFacts facts_of(Refund const& refund, Charge const& charge, std::string_view account, Time now, Random& random) {
  return {.id = event_id(now, random),
          .type = fmt::format("refund.{}", to_text(refund.state)),
          .created_at = now,
          .account = std::string{account},
          .number = refund.charge_number,
          .status = std::string{to_text(refund.state)},
          .amount_minor = refund.amount_minor,
          .currency = refund.currency,
          .charge_id = charge.id,
          .refund_number = refund.number,
          .about = charge.number};
}

std::string notice_body(NoticeFacts const& facts) {
  boost::json::object body{{"id", facts.id},
                           {"type", facts.type},
                           {"created", to_epoch_ms(facts.created_at) / 1000},
                           {"account", facts.account},
                           {"number", facts.number},
                           {"status", facts.status},
                           {"amount", facts.amount_minor},
                           {"currency", facts.currency},
                           {"charge_id", facts.charge_id}};
  if (!facts.refund_number.empty()) body["refund_number"] = facts.refund_number;
  return boost::json::serialize(body);
}

std::string sign_notice(std::string_view secret, Time now, std::string_view body) {
  auto const seconds = to_epoch_ms(now) / 1000;
  return fmt::format("t={},v1={}", seconds, hmac_sha256_hex(secret, fmt::format("{}.{}", seconds, body)));
}

std::vector<NoticeChain> plan_notice(NoticeFacts facts, Injection injection, Random& random, WriteNotice const& write) {
  if (injection.fault == Fault::never) return {};
  falsify(facts, injection.fault, random);

  NoticeChain chain;
  chain.bodies.push_back(write(facts));
  if (injection.fault == Fault::late) chain.delay = injection.delay;
  if (injection.fault == Fault::wrong_signature) chain.wrong_signature = true;
  if (injection.fault == Fault::twice) chain.bodies.push_back(chain.bodies.front());
  if (injection.fault == Fault::reordered) chain.bodies.push_back(write(older_pending(facts, random)));
  std::erase(chain.bodies, std::string{});
  if (chain.bodies.empty()) return {};

  std::vector<NoticeChain> chains(injection.fault == Fault::ten_parallel ? parallel_deliveries : 1, chain);
  for (NoticeChain& each : chains) each.id = "nc_" + mint_suffix(facts.created_at, random);
  return chains;
}

}  // namespace payonce::sandbox
