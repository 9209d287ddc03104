// Strings that mean different things are different types: an OrderId does not convert to an AttemptId.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <string_view>

namespace payonce {

template <class Tag>
struct Named {
  std::string value;

  Named() = default;
  explicit Named(std::string text) : value(std::move(text)) {}
  explicit Named(std::string_view text) : value(text) {}
  explicit Named(char const* text) : value(text) {}

  bool empty() const { return value.empty(); }
  auto operator<=>(Named const&) const = default;
  bool operator==(Named const&) const = default;
};

using MerchantId = Named<struct MerchantTag>;  // the account that owns orders and keys
using OrderId = Named<struct OrderTag>;        // the shop's own number, unique within the merchant
using AttemptId = Named<struct AttemptTag>;    // pay_…, unique everywhere; the number the provider sees
using RefundId = Named<struct RefundTag>;      // ref_…, unique everywhere; the refund number the provider sees
using CaptureId = Named<struct CaptureTag>;    // cap_…, unique everywhere; the capture number the provider sees

}  // namespace payonce

template <class Tag>
struct std::hash<payonce::Named<Tag>> {
  std::size_t operator()(payonce::Named<Tag> const& id) const noexcept { return std::hash<std::string>{}(id.value); }
};
