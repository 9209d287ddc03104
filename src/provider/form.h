// Writing application/x-www-form-urlencoded: bodies, queries, and the strings that page payments are made of.
// Not for: reading it (net/form.h).
#pragma once

#include <string>
#include <string_view>

#include "net/form.h"

namespace payonce {

class Form {
 public:
  // Names are written as they are, brackets too; values are encoded.
  Form& add(std::string_view name, std::string_view value);
  std::string const& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace payonce
