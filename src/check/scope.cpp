#include "check/scope.h"

#include <algorithm>

namespace payonce::check {

namespace {

// clang-format off
constexpr Scope all[] = {
    {.name = "one-payment", .sentence = "one payment that outlives the provider's memory; any number of lost answers",
     .keys = {1, 0, 0}, .payments_max = 1, .crashes = 1, .lost_answers = any_number,
     .query_lags = true, .has_late_notices = true, .life = 6, .alarm_after = 3},
    {.name = "two-keys", .sentence = "two keys for one order, answers lost, a crash",
     .is_short = true, .keys = {2, 0, 0}, .crashes = 1, .lost_answers = 1, .may_wait_for_buyer = false},
    {.name = "lost-commits", .sentence = "commits whose answer is lost, and crashes between commit and call",
     .is_short = true, .keys = {1, 0, 0}, .crashes = 2, .lost_answers = 1, .lost_commits = 1,
     .may_wait_for_buyer = false, .has_notices = false},
    {.name = "forgetful", .sentence = "a provider that charges every request; the shop cancels",
     .keys = {0, 2, 0}, .crashes = 1, .lost_answers = 1, .lost_commits = 1, .may_wait_for_buyer = false,
     .has_notices = false, .may_cancel = true},
    {.name = "blunt", .sentence = "a provider that proves nothing; a person settles what stays unknown",
     .keys = {0, 0, 2}, .lost_answers = 1, .lost_commits = 1, .may_wait_for_buyer = false,
     .may_cancel = true, .has_operator = true},
    {.name = "shop", .sentence = "the shop cancels, closes, changes the amount and books money by hand",
     .is_short = true, .keys = {1, 0, 0}, .lost_answers = 1, .may_wait_for_buyer = false,
     .may_cancel = true, .may_close = true, .may_change_amount = true, .may_pay_offline = true},
    {.name = "replace", .sentence = "another payment takes the live one's place, in an order that expires",
     .keys = {2, 0, 0}, .has_notices = false, .may_replace = true, .order_life = 3},
    {.name = "contradictions", .sentence = "a provider that charges what it had declined, and speaks of other amounts",
     .keys = {2, 0, 0}, .changes_of_mind = 1, .misfits = 1, .may_wait_for_buyer = false,
     .has_operator = true},
    {.name = "one-refund", .sentence = "one refund, refused, lost or taking its time",
     .is_short = true, .keys = {1, 0, 0}, .payments_max = 1, .lost_answers = 1, .may_wait_for_buyer = false,
     .has_notices = false, .may_refund = true, .refunds_max = 1, .may_refuse_refunds = true},
    {.name = "refunds", .sentence = "refunds in part and in whole under two keys, refused or lost",
     .keys = {1, 0, 0}, .payments_max = 1, .crashes = 1, .lost_answers = 1,
     .may_wait_for_buyer = false, .may_refund = true, .may_refuse_refunds = true},
    {.name = "nameless", .sentence = "a provider that can't be asked by our number, only be sent the same again",
     .keys = {1, 0, 0}, .payments_max = 1, .lost_answers = 2, .may_wait_for_buyer = false, .has_notices = false,
     .may_cancel = true, .has_operator = true, .finds_by_number = false},
    {.name = "one-hold", .sentence = "a hold, captured in part or in whole, or forgotten",
     .is_short = true, .keys = {1, 0, 0}, .payments_max = 1, .calls_max = 1, .lost_answers = 1,
     .may_wait_for_buyer = false, .has_notices = false, .holds = true},
    {.name = "held-or-given-up", .sentence = "a hold that is captured or given up",
     .keys = {1, 0, 0}, .payments_max = 1, .lost_answers = 1, .may_wait_for_buyer = false, .has_notices = false,
     .may_cancel = true, .holds = true},
    {.name = "holds", .sentence = "a hold whose captures are refused or take their time, and crashes",
     .keys = {1, 0, 0}, .payments_max = 1, .crashes = 1, .lost_answers = 1, .may_wait_for_buyer = false,
     .has_late_notices = true, .may_cancel = true, .may_refund = true, .refunds_max = 1, .holds = true,
     .may_refuse_captures = true},
    {.name = "two-holds", .sentence = "two keys for one order, whose money is held first",
     .keys = {1, 1, 0}, .lost_answers = 1, .may_wait_for_buyer = false, .has_notices = false, .may_cancel = true,
     .holds = true},
    {.name = "split", .sentence = "an order paid in two parts, over more than it asks for if that went",
     .is_short = true, .keys = {2, 0, 0}, .calls_max = 1, .may_wait_for_buyer = false, .has_notices = false,
     .is_split = true},
    {.name = "two-parts", .sentence = "the same, with answers lost, and closed by the shop",
     .keys = {2, 0, 0}, .lost_answers = 1, .may_wait_for_buyer = false, .has_notices = false, .may_close = true,
     .is_split = true},
    {.name = "three-parts", .sentence = "three payments of a split order, and a provider that changes its mind",
     .keys = {3, 0, 0}, .payments_max = 3, .changes_of_mind = 1, .may_wait_for_buyer = false, .may_cancel = true,
     .is_split = true},
    {.name = "disputes", .sentence = "money that the payer's bank takes back, or gives to the shop again",
     .is_short = true, .keys = {1, 0, 0}, .payments_max = 1, .lost_answers = 1, .disputes = 1,
     .may_wait_for_buyer = false},
    {.name = "past-payonce", .sentence = "refunds, disputes, and refunds made at the provider past payonce",
     .keys = {1, 0, 0}, .payments_max = 1, .calls_max = 1, .disputes = 1, .may_wait_for_buyer = false,
     .may_refund = true, .refunds_max = 1, .may_refund_outside = true},
    {.name = "buyers", .sentence = "two keys, buyers who come and go, answers lost at will, crashes",
     .keys = {2, 0, 0}, .crashes = 1, .lost_answers = 2, .may_cancel = true},
    {.name = "two-providers", .sentence = "two payments at two providers, everything at once",
     .keys = {1, 1, 0}, .crashes = 1, .lost_answers = 2, .lost_commits = 1, .changes_of_mind = 1, .may_cancel = true},
    {.name = "three-payments", .sentence = "three payments at two providers",
     .keys = {2, 1, 0}, .payments_max = 3, .lost_answers = 1, .may_wait_for_buyer = false, .may_cancel = true},
};
// clang-format on

std::string write_create(Charge const& charge) { return "create " + charge.number.value; }
std::string write_refund(Refund const& refund, Attempt const&) { return "refund " + refund.id.value; }
std::string write_capture(Capture const& capture, Attempt const&) { return "capture " + capture.id.value; }

ProviderTerms terms_in(Scope const& scope, std::string_view name, bool create_is_idempotent, bool close_is_proof) {
  Millis const never{std::int64_t{1} << 40};
  // A question may follow an answer at once: whoever is due may be taken up at any moment.
  return {.name = name,
          .create_is_idempotent = create_is_idempotent,
          .key_window = scope.key_memory * tick,
          .request_life = request_life * tick,
          .call_timeout = tick - Millis{2'000},
          .close_is_proof = close_is_proof,
          .attempt_life = scope.life * tick,
          .finds_by_number = scope.finds_by_number,
          .captures_max = close_is_proof ? captures_max : 0,
          .hold_life = scope.life * tick,
          .retry_first = Millis{0},
          .retry_longest = Millis{0},
          .unknown_alarm_after = scope.alarm_after == 0 ? never : scope.alarm_after * tick,
          .write_create = write_create,
          .write_refund = write_refund,
          .write_capture = write_capture};
}

}  // namespace

std::span<Scope const> scopes() { return all; }

Scope const* find_scope(std::string_view name) {
  auto const at = std::ranges::find(all, name, &Scope::name);
  return at == std::end(all) ? nullptr : at;
}

ScopeTerms::ScopeTerms(Scope const& scope)
    : shop_{MerchantId{"shop"},
            {"sure", "forgetful", "blunt"},
            {{"ship", Trigger::payment_succeeded}, {"tell", Trigger::refund_succeeded}}},
      providers_{terms_in(scope, "sure", true, true), terms_in(scope, "forgetful", false, true),
                 terms_in(scope, "blunt", false, false)} {
  if (scope.may_replace) shop_.switch_mode = SwitchMode::release;
}

MerchantSettings const* ScopeTerms::merchant(MerchantId const& id) const { return id == shop_.id ? &shop_ : nullptr; }

ProviderTerms const* ScopeTerms::provider(std::string_view name) const {
  auto const at = std::ranges::find(providers_, name, &ProviderTerms::name);
  return at == providers_.end() ? nullptr : &*at;
}

}  // namespace payonce::check
