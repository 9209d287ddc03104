// The committer's part, for one order in memory.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "check/laws.h"

namespace payonce::check {

namespace {

std::string_view key_in(Command const& command) {
  return std::visit(
      [](auto const& it) -> std::string_view {
        if constexpr (requires { it.idempotency_key; }) return it.idempotency_key;
        return {};
      },
      command);
}

template <class Row>
void put(std::vector<Row>& rows, Row const& row) {
  auto const at = std::ranges::find(rows, row.id, &Row::id);
  if (at == rows.end())
    rows.push_back(row);
  else
    *at = row;
}

}  // namespace

Situation situation_of(Order const& order, Command const& command, NoticeRow const* known_notice) {
  Situation situation{.order = &order, .known_notice = known_notice};
  std::string_view const key = key_in(command);
  if (key.empty()) return situation;
  auto const attempt = std::ranges::find(order.attempts, key, &Attempt::key);
  auto const refund = std::ranges::find(order.refunds, key, &Refund::key);
  if (attempt != order.attempts.end()) situation.key_attempt = &*attempt;
  if (refund != order.refunds.end()) situation.key_refund = &*refund;
  auto const capture = std::ranges::find(order.captures, key, &Capture::key);
  if (capture != order.captures.end()) situation.key_capture = &*capture;
  if (situation.key_attempt || situation.key_refund || situation.key_capture) situation.key_order = &order;
  return situation;
}

void apply(Order& order, Changes const& changes) {
  if (changes.head) order.head = *changes.head;
  for (Attempt const& attempt : changes.attempts) put(order.attempts, attempt);
  for (Refund const& refund : changes.refunds) put(order.refunds, refund);
  for (Capture const& capture : changes.captures) put(order.captures, capture);
}

}  // namespace payonce::check
