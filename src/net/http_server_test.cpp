#include "net/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <vector>

#include "net/server_thread_test.h"

namespace payonce {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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
