#include "net/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include "net/asio_loop.h"
#include "net/http_server.h"
#include "net/raw_socket_test.h"

namespace payonce {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

class HttpClientTest : public testing::Test {
 protected:
  HttpClientTest() {
    ::setenv("no_proxy", "127.0.0.1", 1);
    client = std::make_unique<CurlHttpClient>(loop);
    loop.after(60s, [] { throw std::runtime_error("a call of this test was never answered"); });
  }

  void serve(HttpHandler handler, HttpServerOptions options = {}) {
    auto started = HttpServer::listen(loop, std::move(options), std::move(handler));
    ASSERT_TRUE(started) << started.error().detail;
    server = std::move(*started);
  }

  std::string url(std::string_view target = "/") const {
    return "http://127.0.0.1:" + std::to_string(server->port()) + std::string(target);
  }

  // Makes the calls at once and waits for all; answers in the order of the calls.
  std::vector<HttpAnswer> send_all(std::vector<HttpCall> calls) {
    std::vector<HttpAnswer> answers(calls.size());
    std::size_t left = calls.size();
    for (std::size_t i = 0; i < calls.size(); ++i)
      client->send(std::move(calls[i]), [&, i](HttpAnswer answer) {
        answers[i] = std::move(answer);
        if (--left == 0) loop.stop();
      });
    loop.run();
    return answers;
  }

  HttpAnswer send(HttpCall call) { return send_all({std::move(call)}).front(); }

  AsioLoop loop;
  std::unique_ptr<HttpServer> server;
  std::unique_ptr<CurlHttpClient> client;
};

TEST_F(HttpClientTest, SendsWhatItIsToldAndGivesTheWholeAnswer) {
  HttpRequest seen;
  serve([&](HttpRequest request, Respond respond) {
    seen = std::move(request);
    respond({.status = 422, .headers = {{"X-A", "1"}, {"x-a", "2"}}, .body = "answer"});
  });
  auto const answer = send({.method = "POST",
                            .url = url("/charges?x=1"),
                            .headers = {{"Idempotency-Key", "k1"}, {"X-Empty", ""}},
                            .body = std::string("a\0b", 3)});
  EXPECT_EQ(answer.delivery, Delivery::answered);
  EXPECT_EQ(answer.status, 422);
  EXPECT_EQ(answer.body, "answer");
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(count_headers(answer.headers, "X-A"), 2u);
  EXPECT_EQ(answer.header("x-A"), "1");

  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.target, "/charges?x=1");
  EXPECT_EQ(seen.body, std::string("a\0b", 3));
  EXPECT_EQ(seen.header("idempotency-key"), "k1");
  EXPECT_EQ(seen.header("x-empty"), "");
  EXPECT_EQ(seen.count("content-type"), 0u);
  EXPECT_EQ(seen.count("expect"), 0u);
}

TEST_F(HttpClientTest, SpeaksEveryMethod) {
  serve([](HttpRequest request, Respond respond) {
    respond({.headers = {{"Seen", request.method + std::to_string(request.body.size())}}});
  });
  for (auto const* method : {"GET", "HEAD", "PUT", "DELETE", "PATCH", "POST"})
    EXPECT_EQ(send({.method = method, .url = url()}).header("seen"), method + std::string("0")) << method;
  EXPECT_EQ(send({.method = "PATCH", .url = url(), .body = "abc"}).header("seen"), "PATCH3");
}

TEST_F(HttpClientTest, DoesNotFollowRedirects) {
  serve([](HttpRequest, Respond respond) { respond({.status = 302, .headers = {{"Location", "/elsewhere"}}}); });
  EXPECT_EQ(send({.url = url(), .idempotent = true}).status, 302);
}

TEST_F(HttpClientTest, ARefusedConnectionMeansNeverSent) {
  RawListener listener;
  listener.close();
  auto const answer =
      send({.method = "POST", .url = "http://127.0.0.1:" + std::to_string(listener.port()) + "/charges", .body = "x"});
  EXPECT_EQ(answer.delivery, Delivery::never_sent);
  EXPECT_THAT(answer.error, HasSubstr("POST http://127.0.0.1:" + std::to_string(listener.port()) + "/charges: "));
}

TEST_F(HttpClientTest, ACallThatCannotBeMadeMeansNeverSent) {
  for (auto const* bad :
       {"", "charges", "ftp://127.0.0.1/x", "file:///etc/passwd", "http://", "http://no-such-host.invalid/"})
    EXPECT_EQ(send({.url = bad}).delivery, Delivery::never_sent) << bad;
  EXPECT_EQ(send({.url = "http://127.0.0.1/", .headers = {{"A", "b\r\nC: d"}}}).delivery, Delivery::never_sent);
}

TEST_F(HttpClientTest, AFailedTlsHandshakeMeansNeverSent) {
  serve([](HttpRequest, Respond respond) { respond({}); });
  auto const answer = send({.method = "POST", .url = "https" + url().substr(4), .body = "x"});
  EXPECT_EQ(answer.delivery, Delivery::never_sent);
}

TEST_F(HttpClientTest, NoTlsGreetingInTimeMeansNeverSent) {
  RawListener listener;
  auto const answer = send({.url = "https://127.0.0.1:" + std::to_string(listener.port()), .total_timeout = 50ms});
  EXPECT_EQ(answer.delivery, Delivery::never_sent);
}

TEST_F(HttpClientTest, NoAnswerInTimeLeavesTheCallInDoubt) {
  RawListener listener;
  auto const answer = send({.method = "POST",
                            .url = "http://127.0.0.1:" + std::to_string(listener.port()) + "/c?secret=1",
                            .body = "x",
                            .total_timeout = 50ms});
  EXPECT_EQ(answer.delivery, Delivery::in_doubt);
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.error, Not(HasSubstr("secret")));
}

TEST_F(HttpClientTest, ADroppedConnectionLeavesTheCallInDoubt) {
  int seen = 0;
  serve([&](HttpRequest, Respond respond) {
    ++seen;
    respond({.drop = true});
  });
  EXPECT_EQ(send({.method = "POST", .url = url(), .body = "x"}).delivery, Delivery::in_doubt);
  EXPECT_EQ(seen, 1);
}

TEST_F(HttpClientTest, AnAnswerCutOffLeavesTheCallInDoubt) {
  serve([](HttpRequest, Respond respond) { respond({.body = "0123456789", .drop = true, .drop_after_bytes = 42}); });
  EXPECT_EQ(send({.method = "POST", .url = url()}).delivery, Delivery::in_doubt);
}

TEST_F(HttpClientTest, AnAnswerTooLargeLeavesTheCallInDoubt) {
  serve([](HttpRequest, Respond respond) { respond({.body = std::string(1'001, 'x')}); });
  EXPECT_EQ(send({.url = url(), .answer_bytes_max = 1'001}).delivery, Delivery::answered);
  auto const answer = send({.url = url(), .answer_bytes_max = 1'000});
  EXPECT_EQ(answer.delivery, Delivery::in_doubt);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.error, HasSubstr("larger than 1000 bytes"));
}

TEST_F(HttpClientTest, ATrickleIsTakenInTimeAndInDoubtBeyond) {
  serve([](HttpRequest, Respond respond) {
    respond({.body = "0123456789", .trickle_chunk_bytes = 5, .trickle_ms_per_chunk = 10ms});
  });
  EXPECT_EQ(send({.url = url(), .total_timeout = 30s}).body, "0123456789");
  EXPECT_EQ(send({.url = url(), .total_timeout = 50ms}).delivery, Delivery::in_doubt);
}

// The second request on a kept connection meets a server that reads it and closes without a word. This is where libcurl
// sends again.
TEST_F(HttpClientTest, OnlyAnIdempotentCallMayBeSentTwice) {
  for (bool const idempotent : {false, true}) {
    int charges = 0;
    serve([&](HttpRequest request, Respond respond) {
      if (request.target == "/warm-up") return respond({});
      ++charges;
      respond({.drop = true});
    });
    EXPECT_EQ(send({.url = url("/warm-up"), .idempotent = idempotent}).delivery, Delivery::answered);
    EXPECT_EQ(server->connections(), 1u) << "and it is kept";
    auto const answer = send({.method = "POST", .url = url("/charge"), .body = "x", .idempotent = idempotent});
    EXPECT_EQ(answer.delivery, Delivery::in_doubt);
    EXPECT_EQ(charges, idempotent ? 2 : 1);
    if (!idempotent) {
      EXPECT_THAT(answer.error, HasSubstr("must not be sent again"));
    }
  }
}

TEST_F(HttpClientTest, CallsShareAConnection) {
  serve([](HttpRequest, Respond respond) { respond({}); });
  for (int i = 0; i < 6; ++i) send({.method = i % 2 == 0 ? "GET" : "POST", .url = url(), .idempotent = i % 2 == 0});
  EXPECT_EQ(server->connections(), 1u);
}

TEST_F(HttpClientTest, ACallAfterTheServerRestartedIsAnswered) {
  serve([](HttpRequest, Respond respond) { respond({}); });
  EXPECT_EQ(send({.url = url(), .idempotent = true}).delivery, Delivery::answered);
  auto const port = server->port();
  server.reset();
  serve([](HttpRequest, Respond respond) { respond({.status = 201}); }, {.port = port});
  EXPECT_EQ(send({.url = url(), .idempotent = true}).status, 201);
}

TEST_F(HttpClientTest, HoldsBackCallsBeyondTheLimitInOrder) {
  client = std::make_unique<CurlHttpClient>(loop, CurlHttpClient::Options{.calls_per_host_max = 2});
  std::vector<std::string> seen;
  std::size_t running = 0;
  std::size_t running_max = 0;
  serve([&](HttpRequest request, Respond respond) {
    seen.push_back(request.target);
    running_max = std::max(running_max, ++running);
    loop.after(1ms, [&, respond = std::move(respond)]() mutable {
      --running;
      respond({});
    });
  });
  std::vector<HttpCall> calls;
  for (int i = 10; i < 40; ++i) calls.push_back({.url = url("/" + std::to_string(i)), .idempotent = true});
  for (HttpAnswer const& answer : send_all(std::move(calls))) EXPECT_EQ(answer.delivery, Delivery::answered);
  EXPECT_EQ(running_max, 2u);
  ASSERT_EQ(seen.size(), 30u);
  // Two at a time may swap places on the wire, not more.
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_NEAR(std::stoi(seen[i].substr(1)), 10.0 + double(i), 1.0);
}

TEST_F(HttpClientTest, WaitingCallsEndWithTheirTimeAndAFullQueueRefuses) {
  client = std::make_unique<CurlHttpClient>(loop, CurlHttpClient::Options{.calls_per_host_max = 1, .queue_max = 3});
  std::vector<Respond> held;
  serve([&](HttpRequest, Respond respond) { held.push_back(std::move(respond)); });
  std::vector<HttpCall> calls(6, HttpCall{.url = url(), .total_timeout = 20ms});
  calls.front().total_timeout = 300ms;
  auto const answers = send_all(std::move(calls));
  EXPECT_EQ(answers.front().delivery, Delivery::in_doubt);
  for (std::size_t i = 1; i < answers.size(); ++i) EXPECT_EQ(answers[i].delivery, Delivery::never_sent) << i;
  EXPECT_THAT(answers.back().error, HasSubstr("3 calls are waiting already"));
  EXPECT_EQ(held.size(), 1u);
}

TEST_F(HttpClientTest, AnsweredIsAnsweredThoughTheTaskThrows) {
  serve([](HttpRequest, Respond respond) { respond({}); });
  client->send({.url = url()}, [](HttpAnswer) { throw std::runtime_error("bad continuation"); });
  EXPECT_EQ(send({.url = url()}).delivery, Delivery::answered);
}

TEST_F(HttpClientTest, NoContinuationRunsOnceTheClientIsGone) {
  std::vector<Respond> held;
  serve([&](HttpRequest, Respond respond) {
    held.push_back(std::move(respond));
    if (held.size() == 3) loop.stop();
  });
  int called = 0;
  auto const witness = std::make_shared<int>();
  for (int i = 0; i < 3; ++i) client->send({.url = url()}, [&, witness](HttpAnswer) { ++called; });
  loop.run();
  client.reset();
  EXPECT_EQ(witness.use_count(), 1);
  loop.post([&] { loop.stop(); });
  loop.run();
  EXPECT_EQ(called, 0);
}

}  // namespace
}  // namespace payonce
