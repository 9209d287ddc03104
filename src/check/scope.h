// What one exploration covers: who may do what, how often things may go wrong, and the provider's terms in ticks. The
// bounds of a proof are part of it; `payonce check` prints them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "check/snapshot.h"
#include "payment/terms.h"

namespace payonce::check {

// A tick is as long as a call may take, with the margin of its lease.
inline constexpr Millis tick{60'000};
// Every state is looked at from this moment; time passes by making all else older.
inline constexpr Time now{Millis{1'760'000'000'000}};

inline constexpr std::array<std::string_view, 4> provider_names{"sure", "forgetful", "blunt", "offline"};
inline constexpr Byte idempotent = 0;
inline constexpr Byte proves_nothing = 2;
inline constexpr Byte offline = 3;

struct Scope {
  std::string_view name;
  std::string_view sentence;
  bool is_short = false;  // explored whole within seconds

  // Distinct keys that may begin a payment at each provider: "sure" knows a repeated number, "forgetful" charges each
  // request, and both prove that a closed number can't charge; "blunt" does neither. Each key may be repeated by anyone
  // at any time.
  std::array<Byte, 3> keys = {1, 0, 0};
  Byte payments_max = 2;
  Byte calls_max = 2;  // under way at once about one payment, and about one refund; more are not made

  Byte crashes = 0;          // a node dies: nobody waits for its calls any more, and some were not made
  Byte lost_answers = 0;     // time-outs and nonsense instead of an answer; 255: any number
  Byte lost_commits = 0;     // the answer of a commit is lost, and the command is run again
  Byte changes_of_mind = 0;  // the provider charges what it had declined
  Byte misfits = 0;          // a notice about another amount
  Byte disputes = 0;         // the payer's bank takes the money into dispute, and decides it either way

  bool may_wait_for_buyer = true;  // the provider may take its time or send the buyer elsewhere
  bool query_lags = false;         // a question may be answered "not found" although the payment is there
  bool has_notices = true;
  bool has_late_notices = false;  // also "it is under way", however late
  bool may_cancel = false;
  bool may_close = false;
  bool may_change_amount = false;
  bool may_pay_offline = false;
  bool may_replace = false;   // another payment may take the live one's place, which may be released
  bool has_operator = false;  // a person settles what stays unknown, by the provider's books
  bool may_refund = false;
  Byte refunds_max = 2;  // of one payment
  bool may_refuse_refunds = false;
  bool may_refund_outside = false;  // once of each payment, at the provider and without payonce
  bool holds = false;               // money is held first, and the shop captures all of it or half
  bool may_refuse_captures = false;
  bool is_split = false;        // the order is paid in two parts, by payments over half of it or all
  bool finds_by_number = true;  // "sure" can be asked by our number, else it must be sent the same again

  // In ticks. A request still on its way is lost after one.
  Byte order_life = 0;   // until the order itself expires; 0: never
  Byte life = 2;         // until the buyer's time is over
  Byte key_memory = 4;   // how long "sure" recognises a number
  Byte alarm_after = 0;  // 0: never
};

inline constexpr Byte request_life = 1;
inline constexpr Byte any_number = 255;

inline constexpr Byte captures_max = 2;  // of one hold

// Where no question helps, somebody must look.
constexpr bool needs_person(Scope const& scope) { return scope.keys[proves_nothing] > 0 || !scope.finds_by_number; }

// Beyond it nothing depends on how long ago a payment was sent.
constexpr Byte longest_sent_age(Scope const& scope) {
  Byte const half_memory = scope.key_memory / 2;
  return half_memory > request_life ? half_memory : request_life + 1;
}

// All of them, the small ones first.
std::span<Scope const> scopes();
// Null if there is none.
Scope const* find_scope(std::string_view name);

// The settings under which the rules run in a scope.
class ScopeTerms final : public Terms {
 public:
  explicit ScopeTerms(Scope const& scope);
  MerchantSettings const* merchant(MerchantId const& id) const override;
  ProviderTerms const* provider(std::string_view name) const override;

 private:
  MerchantSettings shop_;
  std::array<ProviderTerms, 3> providers_;
};

}  // namespace payonce::check
