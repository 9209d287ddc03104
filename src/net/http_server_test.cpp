#include "net/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "net/raw_socket_test.h"

namespace payonce {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A server in its own thread, so that a test can play the peer with blocking calls.
class ServerThread {
 public:
  // Runs `work` on the loop and gives its result.
  template <class Work>
  auto on_loop(Work work) {
    std::packaged_task<decltype(work())()> task(std::move(work));
    auto result = task.get_future();
    loop.post([&] { task(); });
    return result.get();
  }

  explicit ServerThread(HttpHandler handler, HttpServerOptions options = {}) {
    auto server = HttpServer::listen(loop, std::move(options), std::move(handler));
    if (!server) throw std::runtime_error(server.error().detail);
    server_ = std::move(*server);
    thread_ = std::thread([this] { loop.run(); });
  }
  ~ServerThread() {
    on_loop([&] { server_.reset(); });
    loop.stop();
    thread_.join();
  }

  RawSocket connect() const { return RawSocket(server_->port()); }
  std::uint16_t port() const { return server_->port(); }
  HttpServer& server() { return *server_; }

  AsioLoop loop;

 private:
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

// Answers with what it was asked.
void echo(HttpRequest request, Respond respond) {
  respond({.body = request.method + " " + request.target + " " + request.body});
}

std::string get(std::string_view target, std::string_view more = "") {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: test\r\n" + std::string(more) + "\r\n";
}

std::string post(std::string_view target, std::string_view body) {
  return "POST " + std::string(target) + " HTTP/1.1\r\nHost: test\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

TEST(HttpServer, AnswersManyRequestsOnOneConnection) {
  ServerThread server(echo);
  RawSocket peer = server.connect();
  for (int i = 0; i < 3; ++i) {
    peer.send(post("/a?b=1", "hello"));
    auto const answer = peer.read_answer();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(answer, HasSubstr("\r\n\r\nPOST /a?b=1 hello"));
  }
  peer.send(get("/last", "Connection: close\r\n"));
  EXPECT_THAT(peer.read_to_end(), HasSubstr("Connection: close\r\n"));
}

TEST(HttpServer, TakesARequestInAnyPieces) {
  ServerThread server(echo);
  RawSocket peer = server.connect();
  for (char const byte : post("/slow", "body")) peer.send({&byte, 1});
  EXPECT_THAT(peer.read_answer(), HasSubstr("POST /slow body"));
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
  // The first answer comes last.
  std::vector<Respond> held;
  ServerThread server([&](HttpRequest request, Respond respond) {
    if (request.target == "/0")
      held.push_back(std::move(respond));
    else
      respond({.body = request.target});
  });
  RawSocket peer = server.connect();
  std::string requests;
  for (int i = 0; i < 1'000; ++i) requests += get("/" + std::to_string(i));
  peer.send(requests);
  while (server.on_loop([&] { return held.empty(); })) {
  }
  server.on_loop([&] { held.front()({.body = "/0"}); });
  for (int i = 0; i < 1'000; ++i) ASSERT_THAT(peer.read_answer(), testing::EndsWith("\r\n\r\n/" + std::to_string(i)));
}

TEST(HttpServer, ReadsChunkedBodiesAndIgnoresTrailers) {
  std::size_t keys = 0;
  ServerThread server([&](HttpRequest request, Respond respond) {
    keys = request.count("idempotency-key");
    respond({.body = request.body});
  });
  RawSocket peer = server.connect();
  peer.send(
      "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nIdempotency-Key: late\r\n\r\n");
  EXPECT_THAT(peer.read_answer(), HasSubstr("\r\n\r\nabcde"));
  EXPECT_EQ(server.on_loop([&] { return keys; }), 0u);
}

TEST(HttpServer, KeepsRepeatedHeadersApart) {
  ServerThread server([](HttpRequest request, Respond respond) {
    respond({.body = std::to_string(request.count("Idempotency-Key")) + " " +
                     std::string(request.header("IDEMPOTENCY-KEY").value_or("none"))});
  });
  RawSocket peer = server.connect();
  peer.send(get("/", "Idempotency-Key: k-77\r\nidempotency-key: k-78\r\n"));
  EXPECT_THAT(peer.read_answer(), HasSubstr("\r\n\r\n2 k-77"));
  peer.send(get("/", "Idempotency-Key: k-77, k-78\r\n"));
  EXPECT_THAT(peer.read_answer(), HasSubstr("\r\n\r\n1 k-77, k-78"));
  peer.send(get("/"));
  EXPECT_THAT(peer.read_answer(), HasSubstr("\r\n\r\n0 none"));
}

TEST(HttpServer, RefusesControlBytesAndPassesHighBytesOn) {
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

TEST(HttpServer, RefusesWhatIsNotOneClearRequest) {
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

TEST(HttpServer, KeepsItsLimits) {
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

TEST(HttpServer, HeaderLinesSentOneByOneCountTogether) {
  ServerThread server(echo, {.header_bytes_max = 1'000});
  RawSocket peer = server.connect();
  peer.send("GET / HTTP/1.1\r\nHost: a\r\n");
  for (int i = 0; i < 200; ++i)
    if (!peer.send("A: 0123456789\r\n")) break;
  EXPECT_THAT(peer.read_to_end(), StartsWith("HTTP/1.1 431 "));
}

TEST(HttpServer, TellsAPeerThatWaitsToSendItsBody) {
  ServerThread server(echo);
  RawSocket peer = server.connect();
  std::string const head = "POST /e HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ";
  peer.send(head + "4\r\n\r\n");
  EXPECT_EQ(peer.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  peer.send("body");
  EXPECT_THAT(peer.read_answer(), HasSubstr("POST /e body"));
  peer.send(head + "4000000\r\n\r\n");
  EXPECT_THAT(peer.read_to_end(), StartsWith("HTTP/1.1 413 "));
}

TEST(HttpServer, RefusesConnectionsBeyondTheLimit) {
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

TEST(HttpServer, EndsSlowAndIdleConnections) {
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

TEST(HttpServer, ALongAnswerIsNotCutWhileThePeerReads) {
  std::string const body(20'000'000, 'x');
  ServerThread server([&](HttpRequest, Respond respond) { respond({.body = body}); });
  RawSocket peer = server.connect();
  peer.send(get("/"));
  EXPECT_TRUE(peer.read_answer().ends_with(body));
  peer.send(get("/"));
  EXPECT_TRUE(peer.read_answer().ends_with(body));
}

TEST(HttpServer, ResetsAPeerThatDoesNotTakeItsAnswer) {
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

TEST(HttpServer, AnswersForAHandlerThatDoesNot) {
  ServerThread server([](HttpRequest request, Respond) {
    if (request.target == "/throw") throw std::runtime_error("handler");
  });
  RawSocket peer = server.connect();
  peer.send(get("/forget"));
  EXPECT_THAT(peer.read_answer(), StartsWith("HTTP/1.1 500 "));
  peer.send(get("/throw"));
  EXPECT_THAT(peer.read_answer(), StartsWith("HTTP/1.1 500 "));
}

TEST(HttpServer, ASecondAnswerIsLost) {
  ServerThread server([](HttpRequest, Respond respond) {
    respond({.body = "first"});
    respond({.body = "second"});
  });
  RawSocket peer = server.connect();
  peer.send(get("/", "Connection: close\r\n"));
  auto const answer = peer.read_to_end();
  EXPECT_THAT(answer, HasSubstr("first"));
  EXPECT_THAT(answer, Not(HasSubstr("second")));
}

TEST(HttpServer, AHeaderValueCannotStartAnother) {
  ServerThread server([](HttpRequest, Respond respond) { respond({.headers = {{"X", "a\r\nSet-Cookie: b"}}}); });
  RawSocket peer = server.connect();
  peer.send(get("/"));
  EXPECT_THAT(peer.read_answer(), HasSubstr("\r\nX: a  Set-Cookie: b\r\n"));
}

TEST(HttpServer, HeadHasNoBodyAndNoContentNoLength) {
  ServerThread server([](HttpRequest request, Respond respond) {
    respond({.status = request.target == "/none" ? 204 : 200, .body = "body"});
  });
  RawSocket peer = server.connect();
  peer.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + get("/none") + get("/", "Connection: close\r\n"));
  EXPECT_EQ(peer.read_to_end(),
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
            "HTTP/1.1 204 No Content\r\n\r\n"
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody");
}

TEST(HttpServer, SpeaksHttp10) {
  ServerThread server(echo);
  RawSocket peer = server.connect();
  peer.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(peer.read_answer(), HasSubstr("Connection: keep-alive\r\n"));
  peer.send("GET /b HTTP/1.0\r\n\r\n");
  EXPECT_THAT(peer.read_to_end(), HasSubstr("GET /b "));
}

TEST(HttpServer, AnswersAPeerThatHasFinishedSending) {
  ServerThread server(echo);
  RawSocket peer = server.connect();
  peer.send(get("/half"));
  peer.finish_sending();
  EXPECT_THAT(peer.read_to_end(), HasSubstr("GET /half "));
}

TEST(HttpServer, DropsAndTricklesOnDemand) {
  ServerThread server([](HttpRequest request, Respond respond) {
    if (request.target == "/drop") return respond({.drop = true});
    if (request.target == "/cut") return respond({.body = "0123456789", .drop = true, .drop_after_bytes = 20});
    respond({.body = "0123456789", .trickle_chunk_bytes = 7, .trickle_ms_per_chunk = 1ms});
  });
  RawSocket dropped = server.connect();
  dropped.send(get("/drop"));
  EXPECT_EQ(dropped.read_to_end(), "");
  EXPECT_TRUE(dropped.reset());
  RawSocket cut = server.connect();
  cut.send(get("/cut"));
  EXPECT_LE(cut.read_to_end().size(), 20u);
  EXPECT_TRUE(cut.reset());
  RawSocket trickled = server.connect();
  trickled.send(get("/trickle"));
  EXPECT_THAT(trickled.read_answer(), HasSubstr("\r\n\r\n0123456789"));
}

TEST(HttpServer, DrainFinishesWhatBeganAndClosesTheRest) {
  std::vector<Respond> held;
  ServerThread server([&](HttpRequest, Respond respond) { held.push_back(std::move(respond)); });
  RawSocket idle = server.connect();
  RawSocket half = server.connect();
  RawSocket waiting = server.connect();
  half.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo");
  waiting.send(get("/"));
  while (server.on_loop([&] { return held.empty() || server.server().connections() < 3; })) {
  }
  std::promise<void> drained;
  auto const done = drained.get_future();
  server.on_loop([&] { server.server().drain(10s, [&] { drained.set_value(); }); });
  EXPECT_EQ(idle.read_to_end(), "");

  server.on_loop([&] { held[0]({.body = "done"}); });
  EXPECT_THAT(waiting.read_to_end(), HasSubstr("Connection: close\r\n\r\ndone"));
  EXPECT_EQ(done.wait_for(0s), std::future_status::timeout);

  half.send("dy");
  while (server.on_loop([&] { return held.size() < 2; })) {
  }
  server.on_loop([&] { held[1]({.body = "also done"}); });
  EXPECT_THAT(half.read_to_end(), HasSubstr("Connection: close\r\n\r\nalso done"));
  EXPECT_EQ(done.wait_for(10s), std::future_status::ready);
}

TEST(HttpServer, DrainEndsAtItsDeadline) {
  std::vector<Respond> held;
  ServerThread server([&](HttpRequest, Respond respond) { held.push_back(std::move(respond)); });
  RawSocket waiting = server.connect();
  waiting.send(get("/"));
  while (server.on_loop([&] { return held.empty(); })) {
  }
  std::promise<void> drained;
  server.on_loop([&] { server.server().drain(20ms, [&] { drained.set_value(); }); });
  EXPECT_EQ(drained.get_future().wait_for(10s), std::future_status::ready);
  EXPECT_EQ(waiting.read_to_end(), "");
  server.on_loop([&] { held[0]({.body = "too late"}); });
}

TEST(HttpServer, DrainWithoutConnectionsIsDoneAtOnce) {
  ServerThread server(echo);
  std::promise<void> drained;
  server.on_loop([&] { server.server().drain(10s, [&] { drained.set_value(); }); });
  EXPECT_EQ(drained.get_future().wait_for(5s), std::future_status::ready);
}

TEST(HttpServer, ARespondMayOutliveServerAndLoop) {
  std::vector<Respond> held;
  {
    ServerThread server([&](HttpRequest, Respond respond) { held.push_back(std::move(respond)); });
    RawSocket waiting = server.connect();
    waiting.send(get("/") + get("/"));
    while (server.on_loop([&] { return held.empty(); })) {
    }
  }
  held[0]({.body = "nobody reads this"});
  held.clear();
}

TEST(HttpServer, SaysWhatToDoWhenItCannotListen) {
  ServerThread server(echo);
  AsioLoop loop;
  auto const taken = HttpServer::listen(loop, {.port = server.port()}, echo);
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().detail, HasSubstr("127.0.0.1 port " + std::to_string(server.port())));
  EXPECT_THAT(taken.error().detail, HasSubstr("choose another port"));
  auto const wrong = HttpServer::listen(loop, {.address = "localhost"}, echo);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::invalid_request);
  auto const foreign = HttpServer::listen(loop, {.address = "192.0.2.1"}, echo);
  ASSERT_FALSE(foreign);
  EXPECT_THAT(foreign.error().detail, HasSubstr("choose an address of this machine"));
}

TEST(HttpServer, TellsThePeersAddress) {
  ServerThread server([](HttpRequest request, Respond respond) { respond({.body = request.peer}); }, {.address = "::"});
  RawSocket peer = server.connect();
  peer.send(get("/"));
  EXPECT_THAT(peer.read_answer(), testing::EndsWith("\r\n\r\n127.0.0.1"));
}

}  // namespace
}  // namespace payonce
