#include "sandbox/run_sandbox.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstdio>

#include "base/clock.h"
#include "base/random.h"
#include "net/asio_loop.h"
#include "net/http_client.h"
#include "sandbox/server.h"

namespace payonce {

namespace {

constexpr Millis drain_deadline{3'000};  // a caller of the sandbox is a test; nobody waits longer for it to stop

int complain(Error const& error) {
  fmt::print(stderr, "payonce sandbox: {}\n", error.detail);
  return 1;
}

}  // namespace

int run_sandbox(SandboxOptions const& options) {
  SystemClock clock;
  SystemRandom random;
  AsioLoop loop;
  CurlHttpClient client{loop};
  auto server = SandboxServer::start(options, {.loop = loop, .clock = clock, .random = random, .client = client});
  if (!server) return complain(server.error());

  int exit_code = 0;
  (*server)->service().on_failure([&](Error const& error) {
    exit_code = complain(error);
    loop.stop();
  });
  bool stopping = false;
  loop.on_signals({SIGINT, SIGTERM}, [&](int) {
    if (stopping) return loop.stop();  // asked twice: at once
    stopping = true;
    (*server)->drain(drain_deadline, [&] { loop.stop(); });
  });
  fmt::print("sandbox provider on {}\n", (*server)->url());
  std::fflush(stdout);
  loop.run();
  return exit_code;
}

}  // namespace payonce
