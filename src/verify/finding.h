// What verify looks for and what it found: the ten invariants by number and name, and each fact that breaks one.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "payment/order.h"

namespace payonce {

struct Invariant {
  int number;
  std::string_view name;
};

inline constexpr std::array<Invariant, 10> invariants{{
    {1, "an order has one live or paid payment, within its amount"},
    {2, "a payment ends only on the provider's word"},
    {3, "a payment is in the books before its provider is called"},
    {4, "one number, one request, one charge"},
    {5, "a notice, its change and its effects are one"},
    {6, "each effect exists once, and only for money that moved"},
    {7, "money that moved stays a success"},
    {8, "no more goes back than came, and surplus goes back once"},
    {9, "nothing acknowledged is lost or left unwatched"},
    {10, "one key, one request"},
}};

struct Finding {
  int invariant = 0;  // 0 for what is only still open
  OrderKey order;
  std::string subject;  // the payment or refund concerned; empty for the order itself
  std::string fact;
};

// Collects what is found about one order.
class Findings {
 public:
  explicit Findings(OrderKey order) : order_(std::move(order)) {}

  // A violation of the invariant unless it holds.
  template <class... Args>
  void require(bool holds, int invariant, std::string_view subject, fmt::format_string<Args...> fact, Args&&... args) {
    if (holds) return;
    violations.push_back({invariant, order_, std::string{subject}, fmt::format(fact, std::forward<Args>(args)...)});
  }

  // No violation: the truth is still being found out.
  void leave_open(std::string_view subject, std::string fact) {
    open.push_back({0, order_, std::string{subject}, std::move(fact)});
  }

  std::vector<Finding> violations;
  std::vector<Finding> open;

 private:
  OrderKey order_;
};

}  // namespace payonce
