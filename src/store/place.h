// Which rows take an order's one place, as the index one_live_or_paid_attempt of every database sees it. Databases
// check it row by row: a batch must write what gives the place up before what takes it.
#pragma once

#include "payment/order.h"

namespace payonce {

inline bool takes_place(Attempt const& attempt) {
  return is_live(attempt.state) || (attempt.state == AttemptState::succeeded && !attempt.surplus);
}

}  // namespace payonce
