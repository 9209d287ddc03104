// Rows of any database as the types of the rules. `Rows` is a driver's cursor whose columns are read from left to
// right; their order is that of the select statements.
#pragma once

#include <string_view>

#include "store/archive.h"
#include "store/row_text.h"
#include "store/store.h"

namespace payonce {

// Braced initialisers are evaluated from left to right, so that fields listed in the order of the columns read them so.
template <class Parse>
auto read_enum(auto& rows, Parse parse, std::string_view column) {
  std::string_view const text = rows.text_view();
  return known(parse(text), text, column);
}

std::optional<Evidence> read_evidence(auto& rows) {
  if (!rows.is_null()) return read_enum(rows, parse_evidence, "evidence");
  rows.skip();
  return std::nullopt;
}

Money read_money(auto& rows) {
  std::int64_t const minor = rows.integer();
  return Money{minor, currency_from_row(rows.text_view())};
}

std::optional<Money> read_optional_money(auto& rows) {
  if (!rows.is_null()) return read_money(rows);
  rows.skip();
  rows.skip();
  return std::nullopt;
}

// NULLs of a message that is no line of a statement.
std::optional<Billed> read_billed(auto& rows) {
  if (!rows.is_null()) return Billed{rows.text(), read_optional_money(rows)};
  for (int column = 0; column < 3; ++column) rows.skip();
  return std::nullopt;
}

OrderKey read_order_key(auto& rows) { return OrderKey{MerchantId{rows.text_view()}, OrderId{rows.text_view()}}; }

OrderHead read_order_head(auto& rows) {
  return OrderHead{.key = read_order_key(rows),
                   .amount = read_money(rows),
                   .policy = read_enum(rows, parse_policy, "policy"),
                   .state = read_enum(rows, parse_order_state, "order state"),
                   .paid_minor = rows.integer(),
                   .held_minor = rows.integer(),
                   .metadata = rows.text(),
                   .created_at = rows.time(),
                   .updated_at = rows.time(),
                   .expires_at = rows.optional_time(),
                   .due_at = rows.optional_time(),
                   .capture = read_enum(rows, parse_capture_mode, "capture mode")};
}

Attempt read_attempt(auto& rows) {
  return Attempt{.id = AttemptId{rows.text_view()},
                 .key = rows.text(),
                 .fingerprint = rows.text(),
                 .provider = rows.text(),
                 .method = rows.text(),
                 .amount = read_money(rows),
                 .metadata = rows.text(),
                 .state = read_enum(rows, parse_attempt_state, "payment state"),
                 .surplus = rows.boolean(),
                 .exposed = rows.boolean(),
                 .cancel_requested = rows.boolean(),
                 .review = rows.text(),
                 .request = rows.bytes(),
                 .provider_ref = rows.text(),
                 .action_url = rows.text(),
                 .evidence = read_evidence(rows),
                 .answer_code = rows.text(),
                 .answer = rows.bytes(),
                 .tries = int(rows.integer()),
                 .due_at = rows.optional_time(),
                 .first_sent_at = rows.optional_time(),
                 .expires_at = rows.time(),
                 .created_at = rows.time(),
                 .updated_at = rows.time(),
                 .settled_at = rows.optional_time(),
                 .part = rows.text(),
                 .disputes = int(rows.integer()),
                 .captured_minor = rows.integer()};
}

Refund read_refund(auto& rows) {
  return Refund{.id = RefundId{rows.text_view()},
                .attempt = AttemptId{rows.text_view()},
                .key = rows.text(),  // empty when NULL
                .reason = rows.text(),
                .amount = read_money(rows),
                .state = read_enum(rows, parse_refund_state, "refund state"),
                .review = rows.text(),
                .request = rows.bytes(),
                .provider_ref = rows.text(),
                .evidence = read_evidence(rows),
                .answer_code = rows.text(),
                .answer = rows.bytes(),
                .tries = int(rows.integer()),
                .due_at = rows.optional_time(),
                .created_at = rows.time(),
                .updated_at = rows.time(),
                .origin = read_enum(rows, parse_refund_origin, "refund origin")};
}

Capture read_capture(auto& rows) {
  return Capture{.id = CaptureId{rows.text_view()},
                 .attempt = AttemptId{rows.text_view()},
                 .key = rows.text(),  // empty when NULL
                 .amount = read_money(rows),
                 .is_final = rows.boolean(),
                 .state = read_enum(rows, parse_capture_state, "capture state"),
                 .request = rows.bytes(),
                 .provider_ref = rows.text(),
                 .evidence = read_evidence(rows),
                 .answer_code = rows.text(),
                 .answer = rows.bytes(),
                 .tries = int(rows.integer()),
                 .due_at = rows.optional_time(),
                 .created_at = rows.time(),
                 .updated_at = rows.time()};
}

// As objects, so that they can be handed to read_all.
inline constexpr auto read_event = [](auto& rows) {
  return StoredEvent{.sequence = rows.integer(),
                     .event = TimelineEvent{.key = read_order_key(rows),
                                            .attempt = AttemptId{rows.text_view()},
                                            .refund = RefundId{rows.text_view()},
                                            .type = rows.text(),
                                            .from = rows.text(),
                                            .to = rows.text(),
                                            .evidence = read_evidence(rows),
                                            .actor = rows.text(),
                                            .code = rows.text(),
                                            .text = rows.text(),
                                            .at = rows.time()}};
};

inline constexpr auto read_posting = [](auto& rows) {
  return Posting{.key = read_order_key(rows),
                 .attempt = AttemptId{rows.text_view()},
                 .refund = RefundId{rows.text_view()},
                 .debit = rows.text(),
                 .credit = rows.text(),
                 .amount = read_money(rows),
                 .at = rows.time()};
};

inline constexpr auto read_turnover = [](auto& rows) {
  return Turnover{.debit = rows.text(), .credit = rows.text(), .amount = read_money(rows)};
};

inline constexpr auto read_effect = [](auto& rows) {
  return Effect{.key = read_order_key(rows),
                .attempt = AttemptId{rows.text_view()},
                .refund = RefundId{rows.text_view()},
                .name = rows.text(),
                .state = read_enum(rows, parse_effect_state, "effect state"),
                .tries = int(rows.integer()),
                .due_at = rows.optional_time(),
                .created_at = rows.time(),
                .delivered_at = rows.optional_time(),
                .last_error = rows.text()};
};

inline constexpr auto read_notice = [](auto& rows) {
  return NoticeRow{.provider = rows.text(),
                   .event_id = rows.text(),
                   .number = rows.text(),
                   .refund_number = rows.text(),
                   .disposition = read_enum(rows, parse_notice_disposition, "notice disposition"),
                   .answer = Answer{.outcome = read_enum(rows, parse_outcome, "outcome"),
                                    .provider_ref = rows.text(),
                                    .amount = read_optional_money(rows),
                                    .code = rows.text(),
                                    .text = rows.bytes(),
                                    .action_url = rows.text(),
                                    .misfit = rows.text()},
                   .body = rows.bytes(),
                   .tries = int(rows.integer()),
                   .due_at = rows.optional_time(),
                   .received_at = rows.time(),
                   .billed = read_billed(rows)};
};

inline constexpr auto read_statement = [](auto& rows) {
  return StatementRow{.provider = rows.text(),
                      .day = rows.text(),
                      .digest_hex = rows.text(),
                      .lines = int(rows.integer()),
                      .imported_at = rows.time()};
};

inline constexpr auto read_discrepancy = [](auto& rows) {
  return Discrepancy{.id = rows.text(),
                     .merchant = MerchantId{rows.text_view()},
                     .kind = read_enum(rows, parse_discrepancy_kind, "kind of discrepancy"),
                     .provider = rows.text(),
                     .day = rows.text(),
                     .subject = rows.text(),
                     .number = rows.text(),
                     .amount = read_money(rows),
                     .text = rows.text(),
                     .found_at = rows.time(),
                     .resolved_at = rows.optional_time(),
                     .resolved_by = rows.text(),
                     .note = rows.text()};
};

inline constexpr auto read_api_key = [](auto& rows) {
  return ApiKeyRow{.merchant = MerchantId{rows.text_view()},
                   .name = rows.text(),
                   .hash_hex = rows.text(),
                   .created_at = rows.time(),
                   .revoked_at = rows.optional_time()};
};

inline constexpr auto read_audit = [](auto& rows) {
  return StoredAudit{.sequence = rows.integer(),
                     .row = AuditRow{.merchant = MerchantId{rows.text_view()},
                                     .actor = rows.text(),
                                     .action = rows.text(),
                                     .detail = rows.text(),
                                     .at = rows.time()}};
};

// NULL when there is no evidence.
inline std::optional<std::string_view> evidence_text(std::optional<Evidence> const& evidence) {
  if (!evidence) return std::nullopt;
  return to_text(*evidence);
}

// What came of an attempt, as the databases keep it: NULL when nothing did.
inline std::optional<std::int64_t> captured_or_null(Attempt const& attempt) {
  std::int64_t const came = came_minor(attempt);
  return came > 0 ? std::optional{came} : std::nullopt;
}

// The parts of an optional amount, and of what a line of a statement says beyond a notice, as columns.
struct AmountColumns {
  std::optional<std::int64_t> minor;
  std::optional<std::string_view> currency;
};
inline AmountColumns columns_of(std::optional<Money> const& money) {
  if (!money) return {};
  return {money->minor, money->currency.code()};
}
struct BilledColumns {
  std::optional<std::string_view> day;
  AmountColumns fee;
};
inline BilledColumns columns_of(std::optional<Billed> const& billed) {
  if (!billed) return {};
  return {billed->day, columns_of(billed->fee)};
}

// NULL when a text is empty.
inline std::optional<std::string_view> text_or_null(std::string const& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

// All that is left, or the next one.
template <class Rows, class Read>
auto read_all(Rows&& rows, Read read) {
  std::vector<decltype(read(rows))> all;
  while (rows.next()) all.push_back(read(rows));
  return all;
}

template <class Rows, class Read>
auto read_one(Rows&& rows, Read read) {
  return rows.next() ? std::optional{read(rows)} : std::nullopt;
}

}  // namespace payonce
