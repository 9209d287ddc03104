// Finds the order that a person names on the command line, by its own id or by a payment's.
#pragma once

#include <string>

#include "store/store.h"

namespace payonce {

struct NamedOrder {
  Order order;
  AttemptId payment = {};  // set when a payment was named
};

// `merchant` may be empty while only one merchant has an order of this id. not_found, or invalid_request when several
// have; throws StoreError.
Result<NamedOrder> find_named_order(Reader& reader, std::string const& subject, std::string const& merchant);

}  // namespace payonce
