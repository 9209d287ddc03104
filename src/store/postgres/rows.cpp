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
  if (bytes.empty()) return 0;
  auto value = static_cast<std::uint64_t>(static_cast<signed char>(bytes.front()));
  for (char const byte : bytes.substr(1)) value = value << 8 | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(value);
}

std::optional<Time> Rows::optional_time() {
  if (!is_null()) return time();
  skip();
  return std::nullopt;
}

std::int64_t Rows::changed() const { return std::atoll(PQcmdTuples(result_.get())); }

}  // namespace payonce::postgres
