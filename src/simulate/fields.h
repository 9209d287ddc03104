// A line of fields between bars: the one format that simulated banks write and read.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace payonce::simulate {

class Fields {
 public:
  // The text must outlive it.
  explicit Fields(std::string_view text) {
    for (std::size_t bar; (bar = text.find('|')) != std::string_view::npos; text.remove_prefix(bar + 1))
      all_.push_back(text.substr(0, bar));
    all_.push_back(text);
  }

  // Empty, or 0, when there is no such field.
  std::string_view text(std::size_t index) const { return index < all_.size() ? all_[index] : std::string_view{}; }
  std::int64_t integer(std::size_t index) const {
    std::int64_t value = 0;
    std::from_chars(text(index).data(), text(index).data() + text(index).size(), value);
    return value;
  }

 private:
  std::vector<std::string_view> all_;
};

}  // namespace payonce::simulate
