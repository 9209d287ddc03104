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

std::int64_t Order::given_back_minor(AttemptId const& attempt) const {
  std::int64_t sum = 0;
  for (Refund const& refund : refunds)
    if (refund.attempt == attempt && refund.state != RefundState::failed) sum += refund.amount.minor;
  return sum;
}

}  // namespace payonce
