#include "payment/order.h"

#include <algorithm>
#include <array>

#include "base/enum_text.h"

namespace payonce {

namespace {

template <class Rows, class Test>
auto find_row(Rows& rows, Test test) -> decltype(&*rows.begin()) {
  auto const at = std::ranges::find_if(rows, test);
  return at == rows.end() ? nullptr : &*at;
}

}  // namespace

std::string_view to_text(RefundOrigin origin) {
  switch (origin) {
    case RefundOrigin::request: return "request";
    case RefundOrigin::surplus: return "surplus";
    case RefundOrigin::outside: return "outside";
  }
  return "";
}

std::optional<RefundOrigin> parse_refund_origin(std::string_view text) {
  using enum RefundOrigin;
  return find_by_text(std::array{request, surplus, outside}, text);
}

Attempt const* Order::find(AttemptId const& id) const {
  return find_row(attempts, [&](Attempt const& attempt) { return attempt.id == id; });
}

Refund const* Order::find(RefundId const& id) const {
  return find_row(refunds, [&](Refund const& refund) { return refund.id == id; });
}

Capture const* Order::find(CaptureId const& id) const {
  return find_row(captures, [&](Capture const& capture) { return capture.id == id; });
}

Capture const* Order::capturing(AttemptId const& attempt) const {
  return find_row(captures, [&](Capture const& it) { return it.attempt == attempt && is_watched(it.state); });
}

Attempt const* Order::live() const {
  return find_row(attempts, [](Attempt const& attempt) { return is_live(attempt.state); });
}

Attempt const* Order::in_place(std::string_view part, AttemptId const& besides) const {
  return find_row(attempts, [&](Attempt const& it) { return it.part == part && it.id != besides && takes_place(it); });
}

Attempt const* Order::paying() const {
  Attempt const* last = nullptr;
  for (Attempt const& attempt : attempts)
    if (pays(attempt) && (!last || last->settled_at <= attempt.settled_at)) last = &attempt;
  return last;
}

std::int64_t Order::paid_minor() const {
  std::int64_t sum = 0;
  for (Attempt const& attempt : attempts)
    if (!attempt.surplus) sum += came_minor(attempt);
  return sum;
}

std::int64_t Order::held_minor() const {
  std::int64_t sum = 0;
  for (Attempt const& attempt : attempts)
    if (is_live(attempt.state)) sum += attempt.amount.minor - came_minor(attempt);
  return sum;
}

std::int64_t Order::given_back_minor(AttemptId const& attempt) const {
  std::int64_t sum = 0;
  for (Refund const& refund : refunds)
    if (refund.attempt == attempt && takes_money(refund.state)) sum += refund.amount.minor;
  return sum;
}

}  // namespace payonce
