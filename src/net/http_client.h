// Outgoing HTTP calls, and the one question that matters when money is in them: may the other side have seen this?
// Not for: retries (the engine decides those) or what an answer means (provider/).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/loop.h"
#include "net/http_message.h"

namespace payonce {

struct HttpCall {
  std::string method = "GET";
  std::string url;  // http or https
  HttpHeaders headers = {};
  std::string body = {};
  Millis connect_timeout{5'000};
  Millis total_timeout{15'000};  // from send() to the last byte of the answer, waiting in the queue included

  // Whether the client itself may send it again on a new connection when a kept one turns out dead under it. If not,
  // that leaves it in doubt, whatever the other side makes of repeats.
  bool idempotent = false;
  std::size_t answer_bytes_max = limits::provider_answer_bytes;
};

enum class Delivery {
  never_sent,  // surely no byte of the request has left us
  in_doubt,    // the other side may have seen it, and may have acted
  answered,    // a complete answer is here, whatever its status
};

struct HttpAnswer {
  Delivery delivery = Delivery::in_doubt;
  int status = 0;  // as far as the answer got: may be set although in_doubt
  HttpHeaders headers = {};
  std::string body = {};
  std::string error = {};  // why it is not `answered`; names the URL without its query

  std::optional<std::string_view> header(std::string_view name) const { return find_header(headers, name); }
};

class HttpClient {
 public:
  using Done = std::move_only_function<void(HttpAnswer)>;

  virtual ~HttpClient() = default;
  // Calls `done` exactly once, later, on the loop thread – unless the client is destroyed before. Loop thread only.
  virtual void send(HttpCall call, Done done) = 0;
};

// On libcurl, in a thread of its own. Verifies certificates, follows no redirect, speaks HTTP/1.1, obeys the usual
// proxy variables of the environment (http_proxy, no_proxy, …).
class CurlHttpClient final : public HttpClient {
 public:
  struct Options {
    std::size_t calls_per_host_max = 256;  // in flight; the rest waits in order
    std::size_t queue_max = 16'384;        // waiting, all hosts together; beyond: never_sent
    std::string ca_file = {};              // PEM certificates to trust instead of the system's
  };

  CurlHttpClient(Loop& loop, Options options);
  explicit CurlHttpClient(Loop& loop) : CurlHttpClient(loop, Options{}) {}
  // Loop thread, or after the loop has ended. Cuts what is in flight; no `done` runs any more.
  ~CurlHttpClient() override;
  CurlHttpClient(CurlHttpClient const&) = delete;
  CurlHttpClient& operator=(CurlHttpClient const&) = delete;

  void send(HttpCall call, Done done) override;

 private:
  class Engine;
  std::shared_ptr<bool> alive_;  // loop thread
  std::unique_ptr<Engine> engine_;
};

}  // namespace payonce
