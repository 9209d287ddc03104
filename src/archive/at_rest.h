// Whether an order's history may leave the books: nobody waits for it, and nothing of it is young.
#pragma once

#include "store/archivist.h"

namespace payonce {

// Ended payments, captures and refunds, delivered effects, worked-in notices, nothing for a person to look into, and no
// change at or after `before`. An order that was never paid may be at rest too; it can still be paid.
bool is_at_rest(ArchivedOrder const& order, Time before);

}  // namespace payonce
