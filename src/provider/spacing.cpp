#include "provider/spacing.h"

#include <fmt/format.h>

#include "net/url.h"

namespace payonce {

std::string spacing_problem(ProviderSettings const& settings, Millis least) {
  if (refund_spacing(settings, least) >= least || is_on_this_machine(settings.url)) return {};
  return fmt::format(
      "refund_spacing_ms: {} wants at least {} ms between two refunds of a payment; less is for a sandbox on this "
      "machine",
      settings.kind, least.count());
}

}  // namespace payonce
