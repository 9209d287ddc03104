// What every connector says in the same way: that nothing was sent, that nothing usable came back, and what a code of
// the provider's means. Not for: the codes themselves; each connector has its own table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "payment/command.h"
#include "payment/decision.h"

namespace payonce {

Answer in_doubt(std::string code, HttpAnswer const& answer);

// To a call that the provider's terms rule out, so that the rules never ask for it. Nothing was sent.
Answer not_offered();

// Nothing if there is a complete answer, to be read. Otherwise what its absence means.
std::optional<Answer> unanswered(HttpAnswer const& answer);

// What a code of a provider's means.
enum class Meaning {
  succeeded,
  declined,   // its word about the number: it did not charge (or give back) and will not
  not_taken,  // this request was refused before it did anything, which says nothing about an earlier one
  pending,
  requires_action,
  not_found,
  in_doubt,
};

// One line of a connector's table of codes.
struct CodeMeaning {
  std::string_view code;
  unsigned calls;  // the kinds of calls it answers: a sum of `on(CallKind)`
  Meaning meaning;
  std::string_view source;  // the public page that says so
};

constexpr unsigned on(CallKind kind) { return 1U << static_cast<unsigned>(kind); }
inline constexpr unsigned on_create = on(CallKind::create);
inline constexpr unsigned on_query = on(CallKind::query);
inline constexpr unsigned on_close = on(CallKind::close);
inline constexpr unsigned on_refund = on(CallKind::refund);
inline constexpr unsigned on_query_refund = on(CallKind::query_refund);
inline constexpr unsigned on_capture = on(CallKind::capture);
inline constexpr unsigned on_query_capture = on(CallKind::query_capture);
inline constexpr unsigned on_any = ~0U;

// The first line that fits; a code that is not listed for this kind of call is in doubt.
Meaning meaning_of(std::span<CodeMeaning const> table, CallKind kind, std::string_view code);

// One line of a connector's table of the states in which a provider says that a payment or refund is.
struct StatusMeaning {
  std::string_view status;
  Outcome outcome;
};

// A state that is not listed is in doubt.
Outcome outcome_in(std::span<StatusMeaning const> table, std::string_view status);

// `not_taken` is a refusal of the first request for a number, and leaves a repeated one in doubt: the earlier request
// may have done what this one was refused.
Outcome outcome_of(Meaning meaning, ProviderCall const& call);

}  // namespace payonce
