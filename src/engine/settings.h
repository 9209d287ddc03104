// What the service is configured with, once it is read and checked. Where it is read from: cli/configuration.h.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "payment/terms.h"
#include "provider/registry.h"
#include "provider/settings.h"

namespace payonce {

// Where one named effect of a merchant is delivered.
struct EffectTarget {
  std::string name;
  std::string url;
  std::vector<std::string> secrets;  // raw bytes; each signs, so that the receiver may know the old or the new one
  Millis timeout{10'000};
  Trigger on = Trigger::order_paid;
};

struct Merchant {
  MerchantId id;
  std::vector<std::string> providers;
  std::vector<EffectTarget> effects;
  SwitchMode switch_mode = SwitchMode::strict;
  SurplusPolicy surplus = SurplusPolicy::automatic;
};

// The rules' view of merchants and providers.
class ConfiguredTerms final : public Terms {
 public:
  ConfiguredTerms(std::vector<Merchant> const& merchants, Providers const& providers);

  MerchantSettings const* merchant(MerchantId const& id) const override;
  ProviderTerms const* provider(std::string_view name) const override;

 private:
  std::map<MerchantId, MerchantSettings> merchants_;
  Providers const& providers_;
};

}  // namespace payonce
