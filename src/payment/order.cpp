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

Attempt const* Order::find(AttemptId const& id) const {
  return find_row(attempts, [&](Attempt const& attempt) { return attempt.id == id; });
}

Refund const* Order::find(RefundId const& id) const {
  return find_row(refunds, [&](Refund const& refund) { return refund.id == id; });
}

Attempt const* Order::live() const {
  return find_row(attempts, [](Attempt const& attempt) { return is_live(attempt.state); });
}

Attempt const* Order::paying() const {
  return find_row(attempts,
                  [](Attempt const& attempt) { return attempt.state == AttemptState::succeeded && !attempt.surplus; });
}

}  // namespace payonce
