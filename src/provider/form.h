// Writing application/x-www-form-urlencoded: bodies, queries, and the strings that page payments are made of.
// Not for: reading it (net/url.h).
#pragma once

#include <string>
#include <string_view>

namespace payonce {

// Letters, digits and -._~ stay; every other byte becomes %XX, a blank %20.
std::string percent_encode(std::string_view text);

class Form {
 public:
  // Names are written as they are, brackets too; values are encoded.
  Form& add(std::string_view name, std::string_view value);
  std::string const& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace payonce
