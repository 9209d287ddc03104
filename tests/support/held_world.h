// Worlds and commands for tests of holds and captures.
#pragma once

#include "support/rules_world.h"

namespace payonce {

// Payment 1 of 19.99, to be captured by hand, not answered yet.
inline RulesWorld begun_world(std::string const& provider = "sure", Policy policy = Policy::single) {
  RulesWorld world;
  world.terms.shop.effects = {{"ship"},
                              {"pack", Trigger::payment_authorized},
                              {"paid", Trigger::payment_succeeded},
                              {"give-back", Trigger::payment_surplus}};
  RegisterOrder registered = registration();
  registered.capture = CaptureMode::manual;
  registered.policy = policy;
  world.run(registered);
  world.run(beginning(1, "k-1", provider));
  return world;
}

// The same, and the provider holds the money.
inline RulesWorld held_world(std::string const& provider = "sure", Policy policy = Policy::single) {
  RulesWorld world = begun_world(provider, policy);
  world.run(outcome(1, Evidence::response, Outcome::authorized));
  return world;
}

inline RecordCaptureOutcome capture_outcome(int n, Evidence evidence, Outcome said) {
  return {order_key(), capture_id(n), evidence, answer(said, "said")};
}

inline RecordOutcome captured_in_all(Evidence evidence, std::int64_t minor) {
  Answer said = answer(Outcome::succeeded);
  said.amount = usd(minor);
  return outcome(1, evidence, said);
}

inline std::vector<std::string> effect_names(RulesWorld const& world) {
  std::vector<std::string> names;
  for (Effect const& effect : world.effects) names.push_back(effect.name);
  return names;
}

using Names = std::vector<std::string>;

// What is wrong with the books of the order; empty if nothing is.
inline std::string unsound(RulesWorld const& world) {
  std::vector<Effect> of_payment;
  for (Effect const& effect : world.effects)
    if (effect.name != "pack" && effect.name != "give-back") of_payment.push_back(effect);
  return journal_mismatch(world.order(), world.journal) + broken_invariants(world.order(), of_payment);
}

}  // namespace payonce
