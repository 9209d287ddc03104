#include "net/http_wire.h"

#include <gtest/gtest.h>

#include <boost/beast/http/error.hpp>

namespace payonce {
namespace {

// The body of a request whose bytes come in pieces of this size; nothing if it never comes to its end.
std::optional<std::string> body_of(std::string_view bytes, std::size_t piece) {
  std::function<std::size_t(std::string_view)> const body_bytes = [](std::string_view) { return std::size_t{100}; };
  HttpRequestLimits const limits{.header_bytes = 1'000, .target_bytes = 100, .body_bytes = body_bytes};
  HttpRequestParser parser{limits};
  std::size_t begin = 0;
  for (std::size_t end = piece;; end += piece) {
    end = std::min(end, bytes.size());
    boost::beast::error_code error;
    while (!error && begin < end && !parser.is_done())
      begin += parser.put(boost::asio::const_buffer(bytes.data() + begin, end - begin), error);
    if (parser.is_done()) return parser.request().body;
    if ((error && error != boost::beast::http::error::need_more) || end == bytes.size()) return std::nullopt;
  }
}

// Beast 1.81 alone fails an assertion, which ends the program, for the first of these in pieces of one byte.
TEST(HttpWire, AChunkedBodyMayComeInAnyPieces) {
  struct Case {
    std::string_view chunks;
    std::string_view body;
  };
  for (auto const& [chunks, body] :
       {Case{"0\r\n\r\n", ""}, Case{"0\r\nA: b\r\n\r\n", ""}, Case{"0;x=y\r\n\r\n", ""},
        Case{"1\r\na\r\n0\r\n\r\n", "a"}, Case{"2\r\nab\r\n1\r\nc\r\n000\r\n\r\n", "abc"}}) {
    std::string const request =
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string{chunks};
    for (std::size_t piece = 1; piece <= request.size(); ++piece)
      EXPECT_EQ(body_of(request, piece), body) << chunks << " in pieces of " << piece;
    for (std::size_t left = 1; left < chunks.size(); ++left)
      EXPECT_EQ(body_of(std::string_view{request}.substr(0, request.size() - left), 1), std::nullopt) << chunks;
  }
}

}  // namespace
}  // namespace payonce
