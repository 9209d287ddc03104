#include "engine/settings.h"

namespace payonce {

ConfiguredTerms::ConfiguredTerms(const std::vector<Merchant>& merchants, const Providers& providers)
    : providers_(providers) {
  for (const Merchant& merchant : merchants) {
    MerchantSettings settings{merchant.id, merchant.providers, {}};
    for (const EffectTarget& effect : merchant.effects) settings.effects.push_back(effect.name);
    merchants_.emplace(merchant.id, std::move(settings));
  }
}

const MerchantSettings* ConfiguredTerms::merchant(const MerchantId& id) const {
  auto const at = merchants_.find(id);
  return at == merchants_.end() ? nullptr : &at->second;
}

const ProviderTerms* ConfiguredTerms::provider(std::string_view name) const {
  const Provider* const provider = providers_.find(name);
  return provider ? &provider->terms() : nullptr;
}

}  // namespace payonce
