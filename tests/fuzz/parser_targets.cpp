// Parsers that can be called alone.
#include "fuzz/target.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/error.hpp>
#include <ranges>

#include "cli/configuration.h"
#include "http/body.h"
#include "http/checkout_token.h"
#include "net/http_wire.h"
#include "net/url.h"
#include "payment/idempotency_key.h"
#include "provider/http_date.h"
#include "provider/timed_signature.h"
#include "provider/wire_amount.h"

namespace payonce::test {

namespace {

using namespace std::chrono_literals;

void idempotency_key(std::string_view bytes) {
  auto const key = parse_idempotency_key(bytes);
  if (!key) return;
  promise(!key->empty() && key->size() <= 255, "a key has 1 to 255 characters");
  promise(std::ranges::all_of(*key, [](char c) { return c >= 0x21 && c <= 0x7e; }), "a key is visible ASCII");
}

void json_body(std::string_view bytes) {
  Body body{
      {.method = "POST", .target = "/", .headers = {{"Content-Type", "application/json"}}, .body = std::string{bytes}}};
  std::string const order = body.required_text("order_id", 128);
  std::int64_t const amount = body.required_amount("amount");
  auto const currency = body.optional_currency("currency");
  auto const wait = body.optional_number("wait", 0, 60);
  auto const expires = body.optional_time("expires_at");
  std::string const metadata = body.metadata("metadata");
  static_cast<void>(body.flag("replace"));
  if (!body.result()) return;
  promise(!order.empty(), "a required text is there");
  promise(amount >= 1 && amount <= limits::amount_minor_max, "an amount is within its limits");
  promise(!currency || currency->code().size() == 3, "a currency has three letters");
  promise(!wait || (*wait >= 0 && *wait <= 60), "a number is within its limits");
  promise(!expires || to_epoch_ms(*expires) >= 0, "a time is one that we can store");
  promise(metadata.empty() || (metadata.front() == '{' && metadata.back() == '}'), "metadata is an object");
}

// What came of these bytes when they arrive in pieces of this size: the request's words, or the status of the refusal.
std::string read_request(std::string_view bytes, std::size_t piece) {
  std::function<std::size_t(std::string_view)> const body_bytes = [](std::string_view) { return std::size_t{4096}; };
  HttpRequestLimits const limits{.header_bytes = 8192, .target_bytes = 2048, .body_bytes = body_bytes};
  HttpRequestParser parser{limits};
  parser.eager(true);
  std::size_t begin = 0;
  for (std::size_t end = std::min(piece, bytes.size());;) {
    boost::beast::error_code error;
    std::size_t const used = parser.put(boost::asio::const_buffer(bytes.data() + begin, end - begin), error);
    begin += used;
    if (error && error != boost::beast::http::error::need_more) return std::to_string(parser.status_of(error));
    if (parser.is_done()) break;
    if (!error && used > 0 && begin < end) continue;
    if (end == bytes.size()) return "more";
    end = std::min(end + piece, bytes.size());
  }
  HttpRequest const& request = parser.request();
  std::string words = request.method + " " + request.target + "\n";
  for (HttpHeader const& header : request.headers) words += header.name + ":" + header.value + "\n";
  return words + request.body;
}

// Smuggling begins where two readers see different requests in the same bytes.
void http_request(std::string_view bytes) {
  std::string const whole = read_request(bytes, bytes.size() + 1);
  std::string const pieces = read_request(bytes, 1);
  // What is broken and not at its end is refused at once or when the rest has come.
  bool const is_late = (whole == "more" && pieces.size() == 3) || (pieces == "more" && whole.size() == 3);
  promise(whole == pieces || is_late, "it makes no difference in which pieces a request arrives");
}

void request_target(std::string_view bytes) {
  auto const target = parse_target(bytes);
  if (!target) return;
  for (std::string const& segment : target->segments)
    promise(!segment.contains('\0'), "no decoded part of a path holds a NUL");
}

void rfc3339(std::string_view bytes) {
  auto const time = parse_rfc3339(bytes);
  if (!time) return;
  auto const again = parse_rfc3339(to_rfc3339(*time));
  promise(again && *again == *time, "a time that is written out reads the same");
}

void http_date(std::string_view bytes) { static_cast<void>(parse_http_date(bytes)); }

void configuration(std::string_view bytes) {
  auto const settings = read_settings(bytes, "fuzz.toml", {});
  promise(settings.has_value() || !settings.error().detail.empty(), "a refused configuration says why");
}

constexpr std::string_view token_secret = "a secret of at least thirty-two characters";
Time const noon = from_epoch_ms(1'796'000'000'000);

CheckoutGrant grant() { return {{MerchantId{"shop"}, OrderId{"A1"}}, noon + 1h, "https://shop.example/back"}; }

void checkout_token(std::string_view bytes) {
  auto const opened = open_checkout_token(bytes, {std::string{token_secret}}, noon);
  if (!opened) return;
  promise(seal_checkout_token(*opened, token_secret) == bytes,
          "a token that opens is one that we sealed, to the letter");
}

void notice_signature(std::string_view bytes) {
  HttpRequest const request{.method = "POST",
                            .target = "/",
                            .headers = {{"Stripe-Signature", std::string{bytes}}},
                            .body = R"({"id":"evt_1"})"};
  Secret const secrets[] = {Secret{"whsec_nobody_knows_it"}};
  promise(!check_timed_signature(request, "Stripe-Signature", secrets, noon), "nobody can sign without the secret");
}

// Its first bytes as an amount, the ninth as the number of digits.
void wire_amounts(std::string_view bytes) {
  if (bytes.size() < 9) return;
  std::uint64_t minor = 0;
  for (char const c : bytes.substr(0, 8)) minor = minor << 8 | static_cast<unsigned char>(c);
  int const digits = static_cast<unsigned char>(bytes[8]) % 6;
  Money const amount{static_cast<std::int64_t>(minor >> 1), Currency::of("CNY")};
  auto const wire = to_wire(amount, digits);
  if (!wire) return;
  auto const back = from_wire(*wire, amount.currency, digits);
  promise(back && *back == amount, "an amount that goes out comes back the same");
}

}  // namespace

std::vector<FuzzTarget> parser_targets() {
  return {
      {"idempotency_key", idempotency_key, {"k-77", R"("a quoted \" key")", "null", "a, b", "\"\""}},
      {"json_body",
       json_body,
       {R"({"order_id":"A1","amount":1999,"currency":"CNY","wait":5,"expires_at":"2026-11-29T12:00:00Z",)"
        R"("metadata":{"a":"b"}})",
        R"({"amount":1.5})", R"({"amount":1e3})", "[]", R"({"order_id":"\ud800","amount":9223372036854775808})",
        R"({"order_id":"A","order_id":"B"})"}},
      {"http_request",
       http_request,
       {"POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET /v1/orders/a%2Fb?wait=5 HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n folded\r\n\r\n"}},
      {"request_target", request_target, {"/v1/orders/a%2Fb?wait=5", "/", "/a/../b", "/%00", "/?a=b&a=%zz", "*"}},
      {"rfc3339",
       rfc3339,
       {"2026-11-29T12:00:00.123Z", "2026-02-30T24:00:60+14:00", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00+14:00"}},
      {"http_date", http_date, {"Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 9999 24:60:61 GMT"}},
      {"configuration",
       configuration,
       {"[server]\nport = 8080\n[database]\nurl = \"sqlite:a.db\"\n[[provider]]\nname = \"sandbox\"\nkind = "
        "\"sandbox\"\n"
        "url = \"http://127.0.0.1:1\"\naccount = \"a\"\n[[merchant]]\nid = \"shop\"\nproviders = [\"sandbox\"]\n",
        "[server]\nport = 99999999999999999999", "a = [[[[[[[[", "[server]\nport = 1\nport = 2"}},
      {"checkout_token", checkout_token, {seal_checkout_token(grant(), token_secret), "", "a.b.c"}},
      {"notice_signature",
       notice_signature,
       {"t=1796000000,v1=" + std::string(64, 'a'), "t=1,t=2,v1=00", "t=99999999999999999999,v1=", ",,,="}},
      {"wire_amounts", wire_amounts, {std::string(9, '\0'), std::string(9, '\x7f')}},
  };
}

}  // namespace payonce::test
