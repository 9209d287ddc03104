#include "base/id.h"

#include <algorithm>
#include <array>

#include "base/crypto.h"

namespace payonce {

namespace {

constexpr std::string_view alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::string_view attempt_prefix = "pay_";
constexpr std::string_view refund_prefix = "ref_";
constexpr std::string_view capture_prefix = "cap_";
constexpr std::size_t suffix_chars = 26;
constexpr std::size_t time_chars = 10;

void append_base32(std::string& out, std::uint64_t value, std::size_t chars) {
  for (std::size_t i = chars; i-- > 0;) out.push_back(alphabet[(value >> (5 * i)) & 31]);
}

bool has_shape(std::string_view text, std::string_view prefix) {
  return text.size() == prefix.size() + suffix_chars && text.starts_with(prefix) &&
         std::ranges::all_of(text.substr(prefix.size()), [](char c) { return alphabet.contains(c); });
}

// Behind the prefix: the time of the attempt, then what follows from it and from what the provider says.
std::string derived_id(std::string_view prefix, AttemptId const& attempt, std::string_view said) {
  std::string const digest = sha256(attempt.value + "\n" + std::string{said});
  std::string id{prefix};
  id += attempt.value.substr(attempt_prefix.size(), time_chars);
  for (std::size_t i = 0; i < suffix_chars - time_chars; ++i)
    id.push_back(alphabet[static_cast<unsigned char>(digest[i]) & 31]);
  return id;
}

}  // namespace

std::string mint_suffix(Time now, Random& random) {
  std::string suffix;
  suffix.reserve(suffix_chars);
  append_base32(suffix, static_cast<std::uint64_t>(to_epoch_ms(now)), time_chars);
  append_base32(suffix, random.next(), 8);
  append_base32(suffix, random.next(), 8);
  return suffix;
}

AttemptId mint_attempt_id(Time now, Random& random) {
  return AttemptId{std::string{attempt_prefix} + mint_suffix(now, random)};
}

RefundId mint_refund_id(Time now, Random& random) {
  return RefundId{std::string{refund_prefix} + mint_suffix(now, random)};
}

RefundId surplus_refund_id(AttemptId const& attempt) {
  return RefundId{std::string{refund_prefix} + attempt.value.substr(attempt_prefix.size())};
}

RefundId outside_refund_id(AttemptId const& attempt, std::string_view provider_number) {
  return RefundId{derived_id(refund_prefix, attempt, provider_number)};
}

CaptureId mint_capture_id(Time now, Random& random) {
  return CaptureId{std::string{capture_prefix} + mint_suffix(now, random)};
}

CaptureId outside_capture_id(AttemptId const& attempt, std::int64_t total_minor) {
  return CaptureId{derived_id(capture_prefix, attempt, std::to_string(total_minor))};
}

bool is_attempt_id(std::string_view text) { return has_shape(text, attempt_prefix); }

bool is_refund_id(std::string_view text) { return has_shape(text, refund_prefix); }

}  // namespace payonce
