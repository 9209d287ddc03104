#include "net/http_wire.h"

#include <algorithm>
#include <array>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/status.hpp>
#include <charconv>

namespace payonce {

namespace http = boost::beast::http;

std::string_view reason_phrase(int status) {
  auto const phrase = http::obsolete_reason(static_cast<http::status>(status));
  return {phrase.data(), phrase.size()};
}

namespace {

constexpr std::string_view last_chunk = "0\r\n\r\n";

bool breaks_line(char c) { return c == '\r' || c == '\n' || c == '\0'; }

void append_header_text(std::string& out, std::string_view text) {
  std::size_t const start = out.size();
  out.append(text);
  std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), breaks_line, ' ');
}

void append_number(std::string& out, std::size_t number) {
  std::array<char, 20> digits;  // the longest is 18446744073709551615
  auto const [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end);
}

bool has_length(int status) { return status >= 200 && status != 204 && status != 304; }

}  // namespace

void append_response(std::string& out, HttpResponse const& response, bool close, bool http_1_0, bool head_only) {
  out.reserve(out.size() + response.body.size() + 256);
  out += "HTTP/1.1 ";
  append_number(out, static_cast<std::size_t>(response.status));
  out += ' ';
  out += reason_phrase(response.status);
  out += "\r\n";
  for (HttpHeader const& header : response.headers) {
    if (same_header_name(header.name, "content-length") || same_header_name(header.name, "connection")) continue;
    append_header_text(out, header.name);
    out += ": ";
    append_header_text(out, header.value);
    out += "\r\n";
  }
  if (has_length(response.status)) {
    out += "Content-Length: ";
    append_number(out, response.body.size());
    out += "\r\n";
  }
  if (close)
    out += "Connection: close\r\n";
  else if (http_1_0)
    out += "Connection: keep-alive\r\n";
  out += "\r\n";
  if (!head_only && has_length(response.status)) out += response.body;
}

HttpRequestParser::HttpRequestParser(HttpRequestLimits const& limits) : limits_(limits) {
  eager(true);
  header_limit(static_cast<std::uint32_t>(limits.header_bytes));
}

std::size_t HttpRequestParser::put(boost::asio::const_buffer bytes, error_code& error) {
  if (header_done_ && chunked() && bytes.size() < last_chunk.size()) {
    error = http::error::need_more;
    return 0;
  }
  return basic_parser::put(bytes, error);
}

int HttpRequestParser::status_of(error_code const& error) const {
  if (refused_status_ != 0) return refused_status_;
  if (error == http::error::body_limit) return 413;
  // Without a complete request line within the limit, it is the target that is too long.
  if (error == http::error::header_limit) return request_.method.empty() ? 414 : 431;
  return 400;
}

void HttpRequestParser::refuse(int status, error_code& ec) {
  refused_status_ = status;
  ec = http::error::bad_value;
}

void HttpRequestParser::on_request_impl(http::verb, string_view method, string_view target, int version,
                                        error_code& ec) {
  if (target.size() > limits_.target_bytes) return refuse(414, ec);
  http_1_0_ = version == 10;
  request_.method.assign(method.data(), method.size());
  request_.target.assign(target.data(), target.size());
  request_.headers.reserve(8);
  body_limit(limits_.body_bytes(request_.target));
}

void HttpRequestParser::on_field_impl(http::field field, string_view name, string_view value, error_code& ec) {
  // The parser's own limit counts what is not taken yet; this one counts all, the trailer included.
  header_bytes_ += name.size() + value.size() + 4;
  if (header_bytes_ > limits_.header_bytes) return refuse(431, ec);
  // A trailer is not authenticated or routed by anyone on the way, so it never becomes a header.
  if (header_done_) return;
  switch (field) {
    case http::field::host: ++hosts_; break;
    case http::field::expect:
      if (!same_header_name({value.data(), value.size()}, "100-continue")) return refuse(417, ec);
      wants_continue_ = true;
      break;
    case http::field::transfer_encoding:
      // Anything but plain "chunked" leaves the length of the body to interpretation.
      if (!same_header_name({value.data(), value.size()}, "chunked") || http_1_0_) return refuse(400, ec);
      break;
    default: break;
  }
  request_.headers.emplace_back(std::string(name.data(), name.size()), std::string(value.data(), value.size()));
}

void HttpRequestParser::on_header_impl(error_code& ec) {
  header_done_ = true;
  // RFC 9112, 3.2: two hosts, or none in HTTP/1.1, and two readers may see two requests.
  if (hosts_ > 1 || (hosts_ == 0 && !http_1_0_)) return refuse(400, ec);
  if (http_1_0_) wants_continue_ = false;
}

void HttpRequestParser::on_body_init_impl(boost::optional<std::uint64_t> const& length, error_code&) {
  // At most the body limit, which finish_header has checked by now; still not taken on trust from the peer at once.
  if (length) request_.body.reserve(std::min<std::size_t>(*length, 16 * 1024));
}

std::size_t HttpRequestParser::on_body_impl(string_view body, error_code&) {
  request_.body.append(body.data(), body.size());
  return body.size();
}

std::size_t HttpRequestParser::on_chunk_body_impl(std::uint64_t, string_view body, error_code&) {
  request_.body.append(body.data(), body.size());
  return body.size();
}

}  // namespace payonce
