#include "engine/settings.h"

namespace payonce {

ConfiguredTerms::ConfiguredTerms(std::vector<Merchant> const& merchants, Providers const& providers)
    : providers_(providers) {
  for (Merchant const& merchant : merchants) {
    MerchantSettings settings{merchant.id, merchant.providers, {}, merchant.switch_mode, merchant.surplus};
    for (EffectTarget const& effect : merchant.effects) settings.effects.push_back({effect.name, effect.on});
    merchants_.emplace(merchant.id, std::move(settings));
  }
}

MerchantSettings const* ConfiguredTerms::merchant(MerchantId const& id) const {
  auto const at = merchants_.find(id);
  return at == merchants_.end() ? nullptr : &at->second;
}

ProviderTerms const* ConfiguredTerms::provider(std::string_view name) const {
  Provider const* const provider = providers_.find(name);
  return provider ? &provider->terms() : nullptr;
}

}  // namespace payonce
