#include "sandbox/stripe/test_methods.h"

#include <algorithm>
#include <iterator>

namespace payonce::sandbox::stripe {

namespace {

using enum Course;

constexpr TestMethod methods[] = {
    {"pm_card_visa"},
    {"pm_card_mastercard"},
    {"tok_visa"},
    {"pm_card_visa_chargeDeclined", decline, "card_declined", "generic_decline"},
    {"pm_card_visa_chargeDeclinedInsufficientFunds", decline, "card_declined", "insufficient_funds"},
    {"pm_card_visa_chargeDeclinedLostCard", decline, "card_declined", "lost_card"},
    {"pm_card_visa_chargeDeclinedStolenCard", decline, "card_declined", "stolen_card"},
    {"pm_card_chargeDeclinedExpiredCard", decline, "expired_card"},
    {"pm_card_chargeDeclinedIncorrectCvc", decline, "incorrect_cvc"},
    {"pm_card_chargeDeclinedProcessingError", decline, "processing_error"},
    {"pm_card_chargeCustomerFail", decline, "card_declined", "generic_decline"},
    {"pm_card_authenticationRequired", act},
    {"pm_card_threeDSecure2Required", act},
    {"pm_sandbox_processing", process},
};

}  // namespace

std::optional<TestMethod> test_method(std::string_view id) {
  auto const found = std::ranges::find(methods, id, &TestMethod::id);
  if (found == std::end(methods)) return std::nullopt;
  return *found;
}

}  // namespace payonce::sandbox::stripe
