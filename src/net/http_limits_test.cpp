// What the server refuses, cuts or ends: malformed, too large, too many, too slow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "net/server_thread_test.h"

namespace payonce {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using testing::HasSubstr;
using testing::StartsWith;

TEST(HttpLimits, RefusesControlBytesAndPassesHighBytesOn) {
  ServerThread server([](HttpRequest request, Respond respond) {
    respond({.body = "[" + std::string(request.header("idempotency-key").value_or("none")) + "]"});
  });
  for (std::string const& bad :
       {std::string("a\0b", 3), std::string("a\x01"), std::string("a\x7f"), std::string("a\nb")})
    EXPECT_THAT(
        [&] {
          RawSocket peer = server.connect();
          peer.send(get("/", "Idempotency-Key: " + bad + "\r\n"));
          return peer.read_to_end();
        }(),
        StartsWith("HTTP/1.1 400 "));
  RawSocket peer = server.connect();
  peer.send(get("/", "Idempotency-Key: a\xe2\x80\xa6\r\n"));
  EXPECT_THAT(peer.read_answer(), HasSubstr("\r\n\r\n[a\xe2\x80\xa6]"));
}

TEST(HttpLimits, RefusesWhatIsNotOneClearRequest) {
  ServerThread server(echo);
  for (std::string const& bad : {
           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc"s,
           "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"s,
           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"s,
           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc"s,
           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nabc"s,
           "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"s,
           "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"s,
           "GET / HTTP/1.1\r\n\r\n"s,
           "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"s,
           "GET / HTTP/9.9\r\nHost: a\r\n\r\n"s,
           "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"s,
           "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS greeting\r\n\r\n"s,
           "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n"s,
           "GET / HTTP/1.1\r\nHost : a\r\n\r\n"s,
       }) {
    RawSocket peer = server.connect();
    peer.send(bad);
    auto const answer = peer.read_to_end();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 400 ")) << bad;
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n")) << bad;
    EXPECT_FALSE(peer.reset()) << bad;
  }
}

TEST(HttpLimits, KeepsItsLimits) {
  HttpServerOptions options{.header_bytes_max = 1'000, .target_bytes_max = 100};
  options.body_limit = [](std::string_view target) -> std::size_t { return target == "/notices" ? 200 : 10; };
  options.render_error = [](int status, std::string_view) {
    return HttpResponse{.status = status, .body = "problem " + std::to_string(status)};
  };
  ServerThread server(echo, std::move(options));
  std::string const long_text(5'000, 'x');
  struct Case {
    std::string request;
    int status;
  };
  for (auto const& [request, status] : std::vector<Case>{
           {get("/" + std::string(99, 'x')), 200},
           {get("/" + std::string(100, 'x')), 414},
           {get("/" + long_text), 414},
           {get("/", "A: " + std::string(900, 'x') + "\r\n"), 200},
           {get("/", "A: " + long_text + "\r\n"), 431},
           {post("/", std::string(10, 'x')), 200},
           {post("/", std::string(11, 'x')), 413},
           {post("/notices", std::string(200, 'x')), 200},
           {post("/notices", std::string(201, 'x')), 413},
           {post("/", std::string(300'000, 'x')), 413},
           {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n6\r\nabcdef\r\n0\r\n\r\n",
            413},
           {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;" + long_text, 400},
           {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + long_text, 400},
           {get("/", "Expect: tea\r\n"), 417},
       }) {
    RawSocket peer = server.connect();
    peer.send(request);
    auto const answer = peer.read_answer();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + std::to_string(status) + " ")) << request.substr(0, 200);
    if (status == 200) continue;
    EXPECT_THAT(answer, HasSubstr("\r\n\r\nproblem " + std::to_string(status)));
    EXPECT_EQ(peer.read_to_end(), "");
    EXPECT_FALSE(peer.reset());
  }
}

TEST(HttpLimits, HeaderLinesSentOneByOneCountTogether) {
  ServerThread server(echo, {.header_bytes_max = 1'000});
  RawSocket peer = server.connect();
  peer.send("GET / HTTP/1.1\r\nHost: a\r\n");
  for (int i = 0; i < 200; ++i)
    if (!peer.send("A: 0123456789\r\n")) break;
  EXPECT_THAT(peer.read_to_end(), StartsWith("HTTP/1.1 431 "));
}

TEST(HttpLimits, RefusesConnectionsBeyondTheLimit) {
  ServerThread server(echo, {.connections_max = 2});
  RawSocket first = server.connect();
  {
    RawSocket second = server.connect();
    first.send(get("/1"));
    second.send(get("/2"));
    EXPECT_THAT(first.read_answer(), StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(second.read_answer(), StartsWith("HTTP/1.1 200 "));
    RawSocket third = server.connect();
    third.send(get("/3"));
    EXPECT_THAT(third.read_to_end(), StartsWith("HTTP/1.1 503 "));
  }
  while (server.on_loop([&] { return server.server().connections(); }) > 1) {
  }
  RawSocket fourth = server.connect();
  fourth.send(get("/4"));
  EXPECT_THAT(fourth.read_answer(), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpLimits, EndsSlowAndIdleConnections) {
  ServerThread server(echo, {.header_timeout = 60ms, .body_timeout = 60ms, .idle_timeout = 60ms});
  RawSocket slow_header = server.connect();
  RawSocket slow_body = server.connect();
  RawSocket idle = server.connect();
  slow_header.send("GET / HTTP/1.1\r\nHo");
  slow_body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
  EXPECT_THAT(slow_header.read_to_end(), StartsWith("HTTP/1.1 408 "));
  EXPECT_THAT(slow_body.read_to_end(), StartsWith("HTTP/1.1 408 "));
  EXPECT_EQ(idle.read_to_end(), "");
}

TEST(HttpLimits, ALongAnswerIsNotCutWhileThePeerReads) {
  std::string const body(20'000'000, 'x');
  ServerThread server([&](HttpRequest, Respond respond) { respond({.body = body}); });
  RawSocket peer = server.connect();
  peer.send(get("/"));
  EXPECT_TRUE(peer.read_answer().ends_with(body));
  peer.send(get("/"));
  EXPECT_TRUE(peer.read_answer().ends_with(body));
}

TEST(HttpLimits, ResetsAPeerThatDoesNotTakeItsAnswer) {
  std::string const body(20'000'000, 'x');
  ServerThread server([&](HttpRequest, Respond respond) { respond({.body = body}); }, {.idle_timeout = 60ms});
  RawSocket peer = server.connect();
  peer.send(get("/"));
  while (server.on_loop([&] { return server.server().connections(); }) == 0) {
  }
  while (server.on_loop([&] { return server.server().connections(); }) > 0) {
  }
  EXPECT_LT(peer.read_to_end().size(), body.size());
  EXPECT_TRUE(peer.reset());
}

TEST(HttpLimits, AHeaderValueCannotStartAnother) {
  ServerThread server([](HttpRequest, Respond respond) { respond({.headers = {{"X", "a\r\nSet-Cookie: b"}}}); });
  RawSocket peer = server.connect();
  peer.send(get("/"));
  EXPECT_THAT(peer.read_answer(), HasSubstr("\r\nX: a  Set-Cookie: b\r\n"));
}

}  // namespace
}  // namespace payonce
