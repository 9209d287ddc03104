#include "bench/waits.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <vector>

#include "bench/connection.h"

namespace payonce::bench {

namespace {

constexpr auto wait_longest = std::chrono::seconds{60};

// Each connection is a descriptor here.
void raise_descriptor_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

Result<int> run_waits(WaitOptions const& options, Clock const& clock, std::function<void()> const& on_measuring) {
  if (options.warm_up + options.duration >= wait_longest)
    return fail(ErrorCode::invalid_request, "buyers wait for a minute at most; measure for less");
  raise_descriptor_limit();
  std::string const request =
      fmt::format("GET /v1/payments/{}?wait=60 HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
                  options.number, options.host, options.api_key);
  std::vector<Connection> waiting;
  std::vector<pollfd> polled;
  for (int i = 0; i < options.connections; ++i) {
    auto connection = Connection::open(options.host, options.port);
    if (!connection) return std::unexpected(connection.error());
    if (!connection->send(request)) return fail(ErrorCode::unavailable, "a connection was closed at once");
    polled.push_back({.fd = connection->descriptor(), .events = POLLIN, .revents = 0});
    waiting.push_back(std::move(*connection));
  }
  // Nothing is to come; whoever gets something does not wait any more.
  auto const stay_until = [&](std::chrono::nanoseconds deadline) {
    while (clock.monotonic() < deadline) {
      if (::poll(polled.data(), polled.size(), 200) <= 0) continue;
      for (pollfd& it : polled)
        if (it.revents != 0) it.fd = -1;
    }
  };
  auto const start = clock.monotonic();
  stay_until(start + options.warm_up);
  on_measuring();
  stay_until(start + options.warm_up + options.duration);
  return static_cast<int>(std::ranges::count_if(polled, [](pollfd const& it) { return it.fd >= 0; }));
}

}  // namespace payonce::bench
