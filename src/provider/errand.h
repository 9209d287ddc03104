// One call of the engine, carried out by one or several HTTP calls, all within one time. Lives as long as one of them
// is under way. Loop thread only.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>

#include "base/clock.h"
#include "net/http_client.h"
#include "provider/provider.h"

namespace payonce {

// HTTP calls that together may take so long.
class TimedCalls {
 public:
  TimedCalls(HttpClient& http, Clock const& clock, Millis total_timeout)
      : http_(http), clock_(clock), ends_at_(clock.monotonic() + total_timeout) {}

  // Sends within what is left of the time.
  void send(HttpCall request, HttpClient::Done done) {
    Millis const left = std::chrono::duration_cast<Millis>(ends_at_ - clock_.monotonic());
    // None left lets the client refuse it as never sent.
    request.total_timeout = std::max(left, Millis{0});
    request.connect_timeout = std::min(connect_timeout, request.total_timeout);
    http_.send(std::move(request), std::move(done));
  }

 private:
  // Short: a provider that does not even take a connection is asked again later, and nothing was sent meanwhile.
  static constexpr Millis connect_timeout{5'000};

  HttpClient& http_;
  Clock const& clock_;
  std::chrono::nanoseconds const ends_at_;
};

class Errand : public TimedCalls, public std::enable_shared_from_this<Errand> {
 public:
  using Then = std::move_only_function<void(std::shared_ptr<Errand>, HttpAnswer)>;

  Errand(HttpClient& http, Clock const& clock, ProviderCall call, Provider::Done done, Millis total_timeout)
      : TimedCalls(http, clock, total_timeout), call(std::move(call)), done_(std::move(done)) {}

  void send(HttpCall request, Then then) {
    TimedCalls::send(std::move(request), [self = shared_from_this(), then = std::move(then)](
                                             HttpAnswer answer) mutable { then(std::move(self), std::move(answer)); });
  }

  // Ends it. Once.
  void finish(Answer answer) { done_(std::move(answer)); }

  ProviderCall const call;

 private:
  Provider::Done done_;
};

}  // namespace payonce
