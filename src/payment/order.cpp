#include "payment/order.h"

#include <algorithm>

namespace payonce {

namespace {

template <class Rows, class Test>
auto find_row(Rows& rows, Test test) -> decltype(&*rows.begin()) {
  auto const at = std::ranges::find_if(rows, test);
  return at == rows.end() ? nullptr : &*at;
}

}  // namespace

const Attempt* Order::find(const AttemptId& id) const {
  return find_row(attempts, [&](const Attempt& attempt) { return attempt.id == id; });
}

const Refund* Order::find(const RefundId& id) const {
  return find_row(refunds, [&](const Refund& refund) { return refund.id == id; });
}

const Attempt* Order::live() const {
  return find_row(attempts, [](const Attempt& attempt) { return is_live(attempt.state); });
}

const Attempt* Order::paying() const {
  return find_row(attempts, [](const Attempt& attempt) {
    return attempt.state == AttemptState::succeeded && !attempt.surplus;
  });
}

}  // namespace payonce
