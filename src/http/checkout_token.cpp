#include "http/checkout_token.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/crypto.h"

namespace payonce {

namespace {

// Signed in front of the text, so that no signature made for another purpose with the same secret fits.
constexpr std::string_view purpose = "payonce checkout token 1\n";

// Base 64 as addresses take it (RFC 4648 section 5), without padding.
std::string to_address_text(std::string_view bytes) {
  std::string text = base64_encode(bytes);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.erase(std::min(text.find('='), text.size()));
  return text;
}

std::optional<std::string> from_address_text(std::string_view address_text) {
  if (address_text.find_first_of("+/=") != std::string_view::npos) return std::nullopt;
  std::string text{address_text};
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  return base64_decode(text);
}

std::string sign(std::string_view text, std::string_view secret) {
  std::string signed_text{purpose};
  signed_text += text;
  return hmac_sha256(secret, signed_text);
}

// The line up to the next line end, which goes with it.
std::string_view take_line(std::string_view& text) {
  auto const end = std::min(text.find('\n'), text.size());
  std::string_view const line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

std::string seal_checkout_token(CheckoutGrant const& grant, std::string_view secret) {
  // Neither an order's id nor an address holds a line end; the merchant's id, which may, comes last.
  std::string const text = fmt::format("{}\n{}\n{}\n{}", to_epoch_ms(grant.expires_at) / 1000, grant.key.order.value,
                                       grant.return_url, grant.key.merchant.value);
  return to_address_text(text) + "." + to_address_text(sign(text, secret));
}

std::optional<CheckoutGrant> open_checkout_token(std::string_view token, std::vector<std::string> const& secrets,
                                                 Time now) {
  auto const dot = token.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  auto const text = from_address_text(token.substr(0, dot));
  auto const signature = from_address_text(token.substr(dot + 1));
  if (!text || !signature) return std::nullopt;
  bool const fits = std::ranges::any_of(
      secrets, [&](std::string const& secret) { return constant_time_equal(sign(*text, secret), *signature); });
  if (!fits) return std::nullopt;

  std::string_view rest = *text;
  std::string_view const expiry = take_line(rest);
  std::int64_t expires_s = 0;
  std::from_chars(expiry.data(), expiry.data() + expiry.size(), expires_s);
  CheckoutGrant grant;
  grant.expires_at = from_epoch_ms(expires_s * 1000);
  grant.key.order = OrderId{take_line(rest)};
  grant.return_url = take_line(rest);
  grant.key.merchant = MerchantId{rest};
  if (now >= grant.expires_at + checkout_read_grace) return std::nullopt;
  return grant;
}

}  // namespace payonce
