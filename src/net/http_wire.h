// HTTP/1.1 bytes for one connection: reads requests out of a buffer, writes answers into one. No sockets.
// Internal to net/ (includes Beast).
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "net/http_message.h"

namespace payonce {

std::string_view reason_phrase(int status);

// Appends the answer as it goes on the wire. `head_only`: it answers a HEAD, so its body stays away.
// A line break inside a header becomes a blank, so that no value can start a header of its own.
void append_response(std::string& out, HttpResponse const& response, bool close, bool http_1_0, bool head_only);

struct HttpRequestLimits {
  std::size_t header_bytes;
  std::size_t target_bytes;
  std::function<std::size_t(std::string_view target)> const& body_bytes;
};

// Beast's incremental parser, filling an HttpRequest directly. For one request; construct a new one for the next.
class HttpRequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  explicit HttpRequestParser(HttpRequestLimits const& limits);

  // As Beast's, but waits for the shortest rest that a chunked body can have. Beast 1.81 has an assertion that fails
  // when it saw "0\r\n" before and is handed less than that: any peer could stop the program.
  std::size_t put(boost::asio::const_buffer bytes, boost::beast::error_code& error);
  // The status that answers a request this parser refused with `error`.
  int status_of(boost::beast::error_code const& error) const;
  bool wants_continue() const { return wants_continue_; }
  bool is_http_1_0() const { return http_1_0_; }
  HttpRequest& request() { return request_; }

 private:
  using error_code = boost::beast::error_code;
  using string_view = boost::beast::string_view;

  void on_request_impl(boost::beast::http::verb, string_view method, string_view target, int version,
                       error_code& ec) override;
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_field_impl(boost::beast::http::field, string_view name, string_view value, error_code& ec) override;
  void on_header_impl(error_code& ec) override;
  void on_body_init_impl(boost::optional<std::uint64_t> const& length, error_code&) override;
  std::size_t on_body_impl(string_view body, error_code&) override;
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override;
  void on_finish_impl(error_code&) override {}

  void refuse(int status, error_code& ec);

  HttpRequestLimits const& limits_;
  HttpRequest request_;
  std::size_t header_bytes_ = 0;
  int refused_status_ = 0;
  int hosts_ = 0;
  bool http_1_0_ = false;
  bool header_done_ = false;
  bool wants_continue_ = false;
};

}  // namespace payonce
