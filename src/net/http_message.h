// HTTP messages as plain data, and the shape of a handler. Not for: bytes on the wire (http_session.h, http_client.h).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace payonce {

struct HttpHeader {
  std::string name;
  std::string value;

  bool operator==(HttpHeader const&) const = default;
};

// Every header line in the order it came, so that a repeated header stays visible as repeated.
using HttpHeaders = std::vector<HttpHeader>;

// Names compare without regard to case (ASCII).
bool same_header_name(std::string_view a, std::string_view b);
// The value of the first header of that name, valid while `headers` is unchanged.
std::optional<std::string_view> find_header(HttpHeaders const& headers, std::string_view name);
std::size_t count_headers(HttpHeaders const& headers, std::string_view name);

struct HttpRequest {
  std::string method;  // as sent: GET, POST, …
  std::string target;  // as sent: path and query, still percent-encoded (net/url.h takes it apart)
  HttpHeaders headers = {};
  std::string body = {};
  std::string peer = {};  // the other side's IP address, without port

  std::optional<std::string_view> header(std::string_view name) const { return find_header(headers, name); }
  std::size_t count(std::string_view name) const { return count_headers(headers, name); }
};

// Content-Length and Connection are set by the session; a `Connection: close` here is obeyed.
struct HttpResponse {
  int status = 200;
  HttpHeaders headers = {};
  std::string body = {};

  // What follows is for servers that misbehave on purpose (sandbox, tests).
  bool drop = false;  // send at most `drop_after_bytes` of the answer, then reset the connection
  std::size_t drop_after_bytes = 0;
  std::size_t trickle_chunk_bytes = 0;  // above 0: send the answer in pieces of this size …
  Millis trickle_ms_per_chunk = {};     // … with this pause before each
};

// Answers one request. To be called once, on the loop thread, now or at any later time, even when the
// connection or the server is gone (then it does nothing). Destroyed without a call, it answers 500.
using Respond = std::move_only_function<void(HttpResponse)>;
using HttpHandler = std::function<void(HttpRequest, Respond)>;

}  // namespace payonce
