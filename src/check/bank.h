// The provider's side of a state: what a request that arrives does to its ledger, and what it may do by itself. It
// keeps its word, unless the scope lets it change its mind. Not for: calls and their answers on the way (steps.cpp).
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "check/scope.h"
#include "check/snapshot.h"

namespace payonce::check {

// Amounts of refunds and captures are counted in halves of the payment's.
inline constexpr Byte all_halves = 2;
constexpr Byte halves_of(auto const& part) { return part.is_part ? 1 : all_halves; }

// What the provider chooses when a new charge or refund reaches it.
enum class Choice : Byte { agrees, declines, takes_time, sends_buyer_away };
std::string_view to_text(Choice choice);

// The choices that make a difference for this request.
std::span<Choice const> choices_for_create(Cell const& cell, Scope const& scope);
std::span<Choice const> choices_for_refund(RefundCell const& refund, Scope const& scope);
std::span<Choice const> choices_for_capture(CaptureCell const& capture, Scope const& scope);

// It charges the payment, or holds its money for the shop.
void agree(Cell& cell, Scope const& scope);
// It takes what this capture asks for; with the last capture the hold ends.
void take(Cell& cell, CaptureCell& capture);
// The hold ends; what was captured of it stays.
void let_go(Cell& cell);
// What it gave back or is about to.
int promised_halves(Cell const& cell);

// Each works the request into the ledger and returns the truthful answer.
Outcome create_arrives(Cell& cell, Choice choice, Scope const& scope);
Outcome query_arrives(Cell const& cell, Scope const& scope);
Outcome close_arrives(Cell& cell);
Outcome capture_arrives(Cell& cell, CaptureCell& capture, Choice choice);
Outcome refund_arrives(Cell const& cell, RefundCell& refund, Choice choice);
// Of a refund or a capture.
Outcome query_part_arrives(PartLedger ledger);

// What a provider tells of by itself, each kind under one event id.
enum class NoticeKind : Byte { charged, declined, open, other_amount, dispute_opened, dispute_won, dispute_lost };
std::string_view to_text(NoticeKind kind);
// Whether the provider ever had reason to send it. Old notices may come late.
bool may_tell(Cell const& cell, NoticeKind kind);

}  // namespace payonce::check
