// What happened in a run, in words. The same seed tells the same story; its hash shows that without keeping it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "simulate/agenda.h"

namespace payonce::simulate {

class Chronicle {
 public:
  static constexpr int everyone = -1;  // concerns no single order
  struct Line {
    Agenda::Moment at;
    int order;
    std::string text;
  };

  explicit Chronicle(bool keeps_lines) : keeps_lines_(keeps_lines) {}

  template <class... Args>
  void tell(Agenda::Moment at, int order, fmt::format_string<Args...> text, Args&&... args) {
    buffer_.clear();
    fmt::format_to(std::back_inserter(buffer_), text, std::forward<Args>(args)...);
    add(at, order);
  }

  std::uint64_t hash() const { return hash_; }
  std::vector<Line> const& lines() const { return lines_; }

 private:
  void add(Agenda::Moment at, int order);

  bool const keeps_lines_;
  fmt::memory_buffer buffer_;
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
  std::vector<Line> lines_;
};

}  // namespace payonce::simulate
