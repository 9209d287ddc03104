// Stripe's test payment methods: what confirming with each of them leads to. Pure.
// Source: docs.stripe.com/testing; pm_sandbox_processing is this sandbox's own.
#pragma once

#include <optional>
#include <string_view>

namespace payonce::sandbox::stripe {

enum class Course { succeed, decline, decline_then_succeed, act, process };

struct TestMethod {
  std::string_view id;
  Course course = Course::succeed;
  std::string_view code = {};          // of the error, when it is declined
  std::string_view decline_code = {};  // beside `card_declined`
};

// Nothing if there is no such method.
std::optional<TestMethod> test_method(std::string_view id);

}  // namespace payonce::sandbox::stripe
