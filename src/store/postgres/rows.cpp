#include "store/postgres/rows.h"

#include <cstdlib>

namespace payonce::postgres {

std::string_view Rows::text_view() {
  auto const size = static_cast<std::size_t>(PQgetlength(result_.get(), row_, column_));
  return {PQgetvalue(result_.get(), row_, column_++), size};
}

// Two, four or eight bytes, the highest first; NULL reads as zero.
std::int64_t Rows::integer() {
  std::string_view const bytes = text_view();
  bool const is_negative = !bytes.empty() && (static_cast<unsigned char>(bytes.front()) & 0x80) != 0;
  std::uint64_t value = is_negative ? ~std::uint64_t{0} : 0;
  for (char const byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(value);
}

std::optional<Time> Rows::optional_time() {
  if (!is_null()) return time();
  skip();
  return std::nullopt;
}

std::int64_t Rows::changed() const { return std::atoll(PQcmdTuples(result_.get())); }

}  // namespace payonce::postgres
