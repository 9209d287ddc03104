#include "payment/statement.h"

#include <array>

#include "base/crypto.h"
#include "base/enum_text.h"

namespace payonce {

std::string_view to_text(DiscrepancyKind kind) {
  switch (kind) {
    case DiscrepancyKind::unknown: return "unknown";
    case DiscrepancyKind::differs: return "differs";
    case DiscrepancyKind::changed: return "changed";
    case DiscrepancyKind::missing: return "missing";
  }
  return "";
}

std::optional<DiscrepancyKind> parse_discrepancy_kind(std::string_view text) {
  using enum DiscrepancyKind;
  return find_by_text(std::array{unknown, differs, changed, missing}, text);
}

std::string discrepancy_id(Discrepancy const& it) {
  constexpr std::size_t digits = 26;
  std::string const said = it.provider + "\n" + std::string{to_text(it.kind)} + "\n" + it.subject;
  return "dis_" + sha256_hex(said).substr(0, digits);
}

}  // namespace payonce
