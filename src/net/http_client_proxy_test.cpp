// Calls that go out through a proxy: what it is told, and when a call that died on the way may have arrived.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "net/asio_loop.h"
#include "net/http_client.h"
#include "net/raw_socket_test.h"

namespace payonce {
namespace {

using namespace std::chrono_literals;

class HttpClientProxyTest : public testing::Test {
 protected:
  HttpClientProxyTest() {
    std::string const address = "http://127.0.0.1:" + std::to_string(proxy.port());
    for (auto const* name : {"http_proxy", "https_proxy"}) ::setenv(name, address.c_str(), 1);
    ::setenv("no_proxy", "127.0.0.1", 1);
    loop.after(60s, [] { throw std::runtime_error("a call of this test was never answered"); });
  }
  ~HttpClientProxyTest() override {
    for (auto const* name : {"http_proxy", "https_proxy"}) ::unsetenv(name);
  }

  // Sends through the proxy, which reads one head, answers these bytes and closes.
  HttpAnswer send(std::string url, std::string_view reply) {
    std::jthread const answering{[&] {
      int const peer = proxy.accept();
      char byte = 0;
      for (seen.clear(); !seen.ends_with("\r\n\r\n") && ::recv(peer, &byte, 1, 0) == 1;) seen.push_back(byte);
      ::send(peer, reply.data(), reply.size(), MSG_NOSIGNAL);
      ::close(peer);
    }};
    HttpAnswer answer;
    client.send({.method = "POST", .url = std::move(url)}, [&](HttpAnswer got) {
      answer = std::move(got);
      loop.stop();
    });
    loop.run();
    return answer;
  }

  RawListener proxy;
  std::string seen;
  AsioLoop loop;
  CurlHttpClient client{loop};
};

TEST_F(HttpClientProxyTest, TheProxyIsToldTheWholeAddress) {
  auto const answer = send("http://bank.example/charges", "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok");
  EXPECT_EQ(answer.delivery, Delivery::answered);
  EXPECT_EQ(answer.status, 201);
  EXPECT_TRUE(seen.starts_with("POST http://bank.example/charges HTTP/1.1\r\n")) << seen;
}

TEST_F(HttpClientProxyTest, ARequestThatItSwallowedIsInDoubt) {
  EXPECT_EQ(send("http://bank.example/charges", "").delivery, Delivery::in_doubt);
}

TEST_F(HttpClientProxyTest, UntilItHasConnectedUsNothingWasSent) {
  for (auto const* reply : {"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", "",
                            "HTTP/1.1 200 Connection established\r\n\r\nand no TLS"}) {
    EXPECT_EQ(send("https://bank.example/charges", reply).delivery, Delivery::never_sent) << reply;
    EXPECT_TRUE(seen.starts_with("CONNECT bank.example:443 HTTP/1.1\r\n")) << seen;
    EXPECT_FALSE(seen.contains("charges")) << "the proxy does not read what is asked of the provider";
  }
}

}  // namespace
}  // namespace payonce
