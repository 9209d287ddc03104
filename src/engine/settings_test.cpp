// What the rules see of the configuration: merchants and providers that are there, and nothing of others.
#include "engine/settings.h"

#include "support/engine_world.h"

namespace payonce::test {

TEST(ConfiguredTerms, ShowMerchantsWithWhatTheyWant) {
  Merchant shop{.id = MerchantId{"shop"}, .providers = {"sure"}, .effects = {}};
  shop.effects = {{.name = "ship", .url = "https://shop.example/ship", .secrets = {}},
                  {.name = "regret", .url = "https://shop.example/regret", .secrets = {}}};
  shop.effects[1].on = Trigger::payment_reversed;
  shop.switch_mode = SwitchMode::release;
  shop.surplus = SurplusPolicy::manual;
  ConfiguredTerms const terms{{shop}, Providers{}};
  MerchantSettings const* const seen = terms.merchant(MerchantId{"shop"});
  ASSERT_NE(seen, nullptr);
  EXPECT_EQ(seen->providers, std::vector<std::string>{"sure"});
  ASSERT_EQ(seen->effects.size(), 2U);
  EXPECT_EQ(seen->effects[0].name, "ship");
  EXPECT_EQ(seen->effects[0].on, Trigger::order_paid);
  EXPECT_EQ(seen->effects[1].on, Trigger::payment_reversed);
  EXPECT_EQ(seen->switch_mode, SwitchMode::release);
  EXPECT_EQ(seen->surplus, SurplusPolicy::manual);
  EXPECT_EQ(terms.merchant(MerchantId{"other"}), nullptr);
}

TEST(ConfiguredTerms, ShowEachProvidersOwnTerms) {
  Providers providers;
  providers.add(std::make_unique<Teller>(ProviderTerms{.name = "sure", .create_is_idempotent = true}));
  ConfiguredTerms const terms{{}, providers};
  ASSERT_NE(terms.provider("sure"), nullptr);
  EXPECT_TRUE(terms.provider("sure")->create_is_idempotent);
  EXPECT_EQ(terms.provider("other"), nullptr);
}

}  // namespace payonce::test
