#include "http/idempotency.h"

#include "payment/idempotency_key.h"

namespace payonce {

Result<std::string> read_idempotency_key(HttpRequest const& request) {
  constexpr std::string_view name = "Idempotency-Key";
  switch (request.count(name)) {
    case 0:
      return fail(ErrorCode::idempotency_key_missing,
                  "Send an Idempotency-Key header: one value per attempt, the same at every repeat of it",
                  std::string{name});
    case 1: return parse_idempotency_key(*request.header(name));
    default:
      return fail(ErrorCode::idempotency_key_invalid, "Idempotency-Key is there more than once; send it once",
                  std::string{name});
  }
}

}  // namespace payonce
