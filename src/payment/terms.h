// What the rules have to know of the world around them: the clock's reading, the merchant's settings, and each
// provider's terms. All of it data, but for the pure functions that write a provider's requests.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "payment/order.h"

namespace payonce {

// A provider's capabilities and schedule. The engine obeys this table and knows no provider by name.
// docs/reference/providers.md shows it for each connector.
struct ProviderTerms {
  std::string_view name;
  // The same number sent twice is one charge, for key_window after the first send.
  bool create_is_idempotent = false;
  Millis key_window{0};
  // How long a create may still be on its way inside the provider: before that, "not found" says nothing.
  Millis request_life{0};
  // The longest that one call may take, phases together.
  Millis call_timeout{0};
  // A closing that the provider accepts proves that the number can't charge any more, also if it was unknown.
  bool close_is_proof = false;
  // The provider lets nobody pay after the expiry that the create call named, so that "not found" then means never.
  bool expiry_is_proof = false;
  // How long the buyer has before the attempt is closed at the provider.
  Millis attempt_life{0};
  // It can be asked by our number. If not, only its own id finds a payment for certain, and while that is unknown the
  // stored create is repeated under its key, which gives the first answer again.
  bool finds_by_number = true;
  // The least time between two refunds of one payment, and how many it may have; 0 means no limit.
  Millis refund_spacing{0};
  int refunds_max = 0;
  // How many captures it takes of one hold; 0: it can't hold money, and orders with manual capture can't be paid there.
  // One that can is also able to close with proof (a void).
  int captures_max = 0;
  // How long it holds money when it does not say so itself.
  Millis hold_life{0};
  // When its bill of a day can be fetched: so long after the day began. Unset: it gives none that payonce can read.
  std::optional<Millis> statement_ready = {};
  // How long before the day of UTC its day begins.
  Millis statement_zone{0};
  // First wait before the provider is asked, and the longest between two questions.
  Millis retry_first{0};
  Millis retry_longest{0};
  // An attempt unresolved for so long raises an alarm (it is still asked about afterwards).
  Millis unknown_alarm_after{0};

  // Why the provider does not take this amount of this currency, as a sentence; empty if it does. Unset: it takes any.
  std::function<std::string(Money amount)> refuses = {};
  // All of them pure, and called on any thread.
  std::function<std::string(Charge const& charge)> write_create = {};
  std::function<std::string(Refund const& refund, Attempt const& attempt)> write_refund = {};
  std::function<std::string(Capture const& capture, Attempt const& attempt)> write_capture = {};
};

// What an effect follows from.
enum class Trigger {
  order_paid,          // the payment that makes the order complete
  payment_succeeded,   // any payment of the order; for an order paid in one the same as order_paid
  payment_authorized,  // its money is held and waits for a capture
  payment_surplus,     // money that came too much and goes back
  payment_disputed,
  dispute_won,
  payment_reversed,  // money that came and was taken back for good: a dispute lost, a capture that failed afterwards
  refund_succeeded,
  refund_failed,
};
// As in configuration and messages: order.paid, payment.succeeded, …
std::string_view to_text(Trigger trigger);
std::optional<Trigger> parse_trigger(std::string_view text);

struct EffectSettings {
  std::string name;
  Trigger on = Trigger::order_paid;
};

// What happens to a live attempt that another one shall replace and that can't be proven closed.
enum class SwitchMode {
  strict,   // it keeps its place until the proof is there
  release,  // it loses its place if the buyer would have to act for it to charge; its money would be surplus
};
std::string_view to_text(SwitchMode mode);
std::optional<SwitchMode> parse_switch_mode(std::string_view text);

// What happens to surplus money.
enum class SurplusPolicy {
  automatic,  // payonce gives it back at once
  manual,     // a person decides, and gives it back by a refund
};
std::string_view to_text(SurplusPolicy policy);
std::optional<SurplusPolicy> parse_surplus_policy(std::string_view text);

struct MerchantSettings {
  MerchantId id;
  std::vector<std::string> providers;  // names that orders of this merchant may be paid with; the first is the default
  std::vector<EffectSettings> effects;
  SwitchMode switch_mode = SwitchMode::strict;
  SurplusPolicy surplus = SurplusPolicy::automatic;
};

// Looked up by the rules; implemented by the configuration, by tests and by the simulator.
class Terms {
 public:
  virtual ~Terms() = default;
  // Null if there is none.
  virtual MerchantSettings const* merchant(MerchantId const& id) const = 0;
  virtual ProviderTerms const* provider(std::string_view name) const = 0;
};

}  // namespace payonce
