// Something made from a secret, such as a key, made anew when the secret changes. Loop thread only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "provider/secret.h"

namespace payonce {

template <class Value>
class ParsedSecret {
 public:
  using Parse = Result<Value> (*)(std::string_view text);

  ParsedSecret(Secret secret, Parse parse) : secret_(std::move(secret)), parse_(parse) {}

  // The value, or why there never was one. A changed text that can't be read keeps the last value, and is told of once.
  Result<Value const*> get() const {
    std::string const& text = secret_.text();
    if (!value_ || text != text_) {
      text_ = text;
      auto fresh = parse_(text);
      if (!fresh && !value_) return std::unexpected(fresh.error());
      if (!fresh) log_error("a changed key can't be read ({}); the one before stays in use", fresh.error().detail);
      if (fresh) value_ = std::move(*fresh);
    }
    return &*value_;
  }

 private:
  Secret const secret_;
  Parse const parse_;
  mutable std::string text_;
  mutable std::optional<Value> value_;
};

}  // namespace payonce
