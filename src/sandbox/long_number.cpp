#include "sandbox/long_number.h"

#include <fmt/format.h>

#include "sandbox/beijing.h"

namespace payonce::sandbox {

std::string long_number(Charge const& charge) {
  std::string digits = to_beijing(charge.created_at).substr(0, 10);
  std::erase(digits, '-');
  std::uint64_t mixed = 14695981039346656037ULL;  // FNV-1a: the same on every machine
  for (char const c : charge.id) mixed = (mixed ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{}{:020}", digits, mixed);
}

}  // namespace payonce::sandbox
