// Reading providers' JSON: what is missing or of another type is empty, never an exception.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/money.h"

namespace payonce {

// The text under `key`; empty if it is absent or not a string.
inline std::string text_at(boost::json::object const& object, std::string_view key) {
  auto const* value = object.if_contains(key);
  auto const* text = value ? value->if_string() : nullptr;
  return text ? std::string{text->c_str(), text->size()} : std::string{};
}

// The object under `key`, or null.
inline boost::json::object const* object_at(boost::json::object const& object, std::string_view key) {
  auto const* value = object.if_contains(key);
  return value ? value->if_object() : nullptr;
}

// The first of the list under `key` if that is an object, or null.
inline boost::json::object const* first_at(boost::json::object const& object, std::string_view key) {
  auto const* value = object.if_contains(key);
  auto const* list = value ? value->if_array() : nullptr;
  return list && !list->empty() ? list->front().if_object() : nullptr;
}

// `amount` as an integer token of minor units with `currency`; nothing unless both are there and well-formed.
inline std::optional<Money> money_in(boost::json::object const& object) {
  auto const* amount = object.if_contains("amount");
  auto const currency = Currency::parse(text_at(object, "currency"));
  if (!amount || !amount->is_int64() || !currency) return std::nullopt;
  return Money{amount->get_int64(), *currency};
}

}  // namespace payonce
