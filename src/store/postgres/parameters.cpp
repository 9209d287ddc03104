#include "store/postgres/parameters.h"

#include <cassert>
#include <utility>

#include "base/utf8.h"

namespace payonce::postgres {

namespace {

void append_int32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift & 0xFF));
}

void put_int32(std::string& out, std::size_t at, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out[at++] = static_cast<char>(value >> shift & 0xFF);
}

// What stands in front of an array's elements: dimensions, whether nulls are among them, type, and for the one
// dimension its size and first index.
constexpr std::size_t array_header_bytes = 5 * 4;
constexpr std::size_t element_header_bytes = 4;
constexpr std::uint32_t null_length = 0xFFFF'FFFF;

}  // namespace

void append_bigint(std::string& out, std::int64_t value) {
  auto const bits = static_cast<std::uint64_t>(value);
  append_int32(out, static_cast<std::uint32_t>(bits >> 32));
  append_int32(out, static_cast<std::uint32_t>(bits));
}

void append_words(std::string& out, std::string_view value) {
  std::size_t const at = out.size();
  out += is_utf8(value) ? std::string{value} : to_utf8(value);
  constexpr std::string_view replacement = "\uFFFD";
  for (auto zero = out.find('\0', at); zero != std::string::npos; zero = out.find('\0', zero))
    out.replace(zero, 1, replacement);
}

std::vector<char const*> Parameters::pointers() const {
  std::vector<char const*> list;
  list.reserve(values_.size());
  for (auto const& value : values_) list.push_back(value ? value->data() : nullptr);
  return list;
}

std::vector<int> Parameters::lengths() const {
  std::vector<int> list;
  list.reserve(values_.size());
  for (auto const& value : values_) list.push_back(value ? static_cast<int>(value->size()) : 0);
  return list;
}

void Columns::begin_element(Array& array, std::uint32_t type) {
  if (array.bytes.empty()) array.bytes.resize(array_header_bytes);
  array.type = type;
  array.bytes.resize(array.bytes.size() + element_header_bytes);
}

void Columns::end_element(Array& array, std::size_t at) {
  put_int32(array.bytes, at - element_header_bytes, static_cast<std::uint32_t>(array.bytes.size() - at));
}

void Columns::append_null(Array& array, std::uint32_t type) {
  begin_element(array, type);
  array.has_null = true;
  put_int32(array.bytes, array.bytes.size() - element_header_bytes, null_length);
}

std::string Columns::finish(Array& array) const {
  assert(rows_ > 0);
  std::uint32_t const header[] = {1, array.has_null ? 1u : 0u, array.type, static_cast<std::uint32_t>(rows_), 1};
  std::size_t at = 0;
  for (std::uint32_t const word : header) {
    put_int32(array.bytes, at, word);
    at += 4;
  }
  return std::move(array.bytes);
}

}  // namespace payonce::postgres
