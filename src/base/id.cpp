#include "base/id.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/crypto.h"

namespace payonce {

namespace {

constexpr std::string_view alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::string_view attempt_prefix = "pay_";
constexpr std::string_view refund_prefix = "ref_";
constexpr std::string_view capture_prefix = "cap_";
constexpr std::size_t suffix_chars = 26;
constexpr std::size_t time_chars = 10;

// Writes the value's last digits into exactly this place.
void write_base32(std::span<char> out, std::uint64_t value) {
  for (std::size_t i = out.size(); i-- > 0; value >>= 5) out[i] = alphabet[value & 31];
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
  std::string suffix(suffix_chars, '0');
  std::span<char> const digits{suffix};
  write_base32(digits.first(time_chars), static_cast<std::uint64_t>(to_epoch_ms(now)));
  write_base32(digits.subspan(time_chars, 8), random.next());
  write_base32(digits.subspan(time_chars + 8), random.next());
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
