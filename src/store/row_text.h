// Texts of a row that stand for enumerators and currencies, read back for any database.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/money.h"
#include "store/store.h"

namespace payonce {

// The parsed value; throws StoreError (refused) when the row holds a text that this program does not know.
template <class Value>
Value known(std::optional<Value> parsed, std::string_view text, std::string_view column) {
  if (parsed) return *parsed;
  throw StoreError(StoreError::Kind::refused, "the database holds \"" + std::string{text.substr(0, 64)} + "\" as " +
                                                  std::string{column} + ", which this program does not know");
}

inline Currency currency_from_row(std::string_view code) {
  auto const currency = Currency::parse(code);
  return known(currency ? std::optional{*currency} : std::nullopt, code, "currency");
}

}  // namespace payonce
