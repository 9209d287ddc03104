// Values for the parameters $1, $2, … of one statement, in PostgreSQL's binary format.
// Not for: which statement; the statement's text says the types (as $1::text[]), and the values must have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/named.h"

namespace payonce::postgres {

// Bytes that need not be text: BYTEA.
struct Bytes {
  std::string_view value;
};

// A text for people or from a peer, which may hold what PostgreSQL can't store in a text (bytes that are no UTF-8, as
// when a text was cut; zeros). These become U+FFFD. Not for keys: two different ones could become the same.
struct Words {
  std::string_view value;
};

// The type and the binary form of a value.
template <class Value>
struct Binary;

class Parameters {
 public:
  // One value per parameter.
  template <class... Values>
  static Parameters of(Values const&... values) {
    Parameters parameters;
    (parameters.add(values), ...);
    return parameters;
  }

  std::size_t size() const { return values_.size(); }
  std::vector<char const*> pointers() const;
  std::vector<int> lengths() const;

 private:
  friend class Columns;

  template <class Value>
  void add(Value const& value) {
    Binary<Value>::append(values_.emplace_back().emplace(), value);
  }
  template <class Value>
  void add(std::optional<Value> const& value) {
    if (value)
      add(*value);
    else
      values_.emplace_back();
  }

  std::vector<std::optional<std::string>> values_;
};

// Rows as one array per column, for INSERT … SELECT FROM unnest($1, $2, …).
class Columns {
 public:
  // One row: its values from left to right.
  template <class... Values>
  Columns& add(Values const&... values) {
    if (arrays_.empty()) arrays_.resize(sizeof...(values));
    std::size_t next = 0;
    (append(arrays_[next++], values), ...);
    ++rows_;
    return *this;
  }

  bool empty() const { return rows_ == 0; }

  // The arrays, of at least one row, behind those values that are the same for all rows. Once.
  template <class... Values>
  Parameters parameters(Values const&... first) {
    Parameters parameters = Parameters::of(first...);
    for (Array& array : arrays_) parameters.values_.push_back(finish(array));
    return parameters;
  }

 private:
  struct Array {
    std::uint32_t type = 0;
    bool has_null = false;
    std::string bytes;
  };

  template <class Value>
  void append(Array& array, Value const& value) {
    begin_element(array, Binary<Value>::type);
    std::size_t const at = array.bytes.size();
    Binary<Value>::append(array.bytes, value);
    end_element(array, at);
  }
  template <class Value>
  void append(Array& array, std::optional<Value> const& value) {
    if (value) return append(array, *value);
    append_null(array, Binary<Value>::type);
  }

  static void begin_element(Array& array, std::uint32_t type);
  static void end_element(Array& array, std::size_t at);
  static void append_null(Array& array, std::uint32_t type);
  std::string finish(Array& array) const;

  std::size_t rows_ = 0;
  std::vector<Array> arrays_;
};

// The object numbers of the types are part of PostgreSQL's protocol and never change.
inline constexpr std::uint32_t type_boolean = 16;
inline constexpr std::uint32_t type_bytea = 17;
inline constexpr std::uint32_t type_bigint = 20;
inline constexpr std::uint32_t type_text = 25;

void append_bigint(std::string& out, std::int64_t value);
void append_words(std::string& out, std::string_view value);

template <>
struct Binary<std::string_view> {
  static constexpr std::uint32_t type = type_text;
  static void append(std::string& out, std::string_view value) { out.append(value); }
};
template <>
struct Binary<std::string> : Binary<std::string_view> {};
template <class Tag>
struct Binary<Named<Tag>> {
  static constexpr std::uint32_t type = type_text;
  static void append(std::string& out, Named<Tag> const& value) { out.append(value.value); }
};
template <>
struct Binary<Words> {
  static constexpr std::uint32_t type = type_text;
  static void append(std::string& out, Words value) { append_words(out, value.value); }
};
template <>
struct Binary<Bytes> {
  static constexpr std::uint32_t type = type_bytea;
  static void append(std::string& out, Bytes value) { out.append(value.value); }
};
template <>
struct Binary<bool> {
  static constexpr std::uint32_t type = type_boolean;
  static void append(std::string& out, bool value) { out.push_back(value ? '\1' : '\0'); }
};
template <>
struct Binary<std::int64_t> {
  static constexpr std::uint32_t type = type_bigint;
  static void append(std::string& out, std::int64_t value) { append_bigint(out, value); }
};
template <>
struct Binary<int> : Binary<std::int64_t> {};
template <>
struct Binary<std::size_t> {
  static constexpr std::uint32_t type = type_bigint;
  static void append(std::string& out, std::size_t value) { append_bigint(out, std::int64_t(value)); }
};
template <>
struct Binary<Time> {
  static constexpr std::uint32_t type = type_bigint;
  static void append(std::string& out, Time value) { append_bigint(out, to_epoch_ms(value)); }
};

}  // namespace payonce::postgres
