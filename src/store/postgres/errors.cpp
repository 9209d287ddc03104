#include "store/postgres/errors.h"

#include <fmt/format.h>

namespace payonce::postgres {

StoreError::Kind kind_of(std::string_view sqlstate) {
  using enum StoreError::Kind;
  // Somebody inserted the row first, or holds what we need: run again, it will be found.
  for (std::string_view const state : {"23505", "40001", "40P01", "55P03"})
    if (sqlstate == state) return conflict;
  // A statement that was too slow, or was canceled by hand: another run would be as slow.
  if (sqlstate == "57014") return unavailable;
  std::string_view const state_class = sqlstate.substr(0, 2);
  // Constraints, and data that does not fit; a statement or table that is not as we know it.
  for (std::string_view const refusing : {"22", "23", "42", "21"})
    if (state_class == refusing) return refused;
  // The server or the connection goes away, or the server became a standby: another run opens a new connection.
  if (state_class == "08" || state_class == "57" || sqlstate == "25006" || sqlstate == "25P03") return conflict;
  // Disk full, out of memory, too many connections, and what we do not know.
  return unavailable;
}

std::string_view sqlstate_of(PGresult const* result) {
  char const* const state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
  return state ? std::string_view{state} : std::string_view{};
}

StoreError error_of(PGresult const* result, StoreError::Kind kind, std::string_view doing) {
  char const* const message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  std::string_view const state = sqlstate_of(result);
  return StoreError{kind, fmt::format("PostgreSQL, {}: {} ({})", doing, message ? message : "the connection is lost",
                                      state.empty() ? "no answer" : state)};
}

}  // namespace payonce::postgres
