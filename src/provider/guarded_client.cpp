#include "provider/guarded_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/log.h"
#include "provider/http_date.h"

namespace payonce {

namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constexpr Millis pause_longest = 60s;
// Beyond it signatures begin to be refused soon: WeChat Pay and Stripe allow five minutes.
constexpr Millis clock_alarm = 60s;

bool is_failure(HttpAnswer const& answer) {
  return answer.delivery != Delivery::answered || answer.status >= 500 || answer.status == 429;
}

// Retry-After in seconds or as a date; nothing if there is none that can be read.
std::optional<Millis> asked_pause(HttpAnswer const& answer, Time now) {
  auto const value = answer.header("Retry-After");
  if (!value || (answer.status != 429 && answer.status != 503)) return std::nullopt;
  bool const is_number =
      !value->empty() && value->size() < 7 && std::ranges::all_of(*value, [](char c) { return c >= '0' && c <= '9'; });
  if (is_number) return std::chrono::seconds{std::stol(std::string{*value})};
  auto const until = parse_http_date(*value);
  return until ? std::optional{std::max(*until - now, Millis{0})} : std::nullopt;
}

}  // namespace

struct GuardedClient::State {
  HttpClient& http;
  Loop& loop;
  Clock const& clock;
  Options const options;

  int in_flight = 0;
  int held_back = 0;  // since the last good answer
  std::atomic<bool> is_crowded = false;
  int failures_in_a_row = 0;
  bool is_probe_out = false;
  Millis pause = options.breaker_pause;
  nanoseconds closed_until{0};  // before it nothing goes out
  bool is_open = false;         // the breaker, apart from a pause the provider asked for
  std::optional<Millis> clock_ahead = {};
  bool has_clock_alarm = false;

  // Why a call must not leave now; empty if it may.
  std::string why_not() const {
    if (clock.monotonic() < closed_until)
      return is_open ? fmt::format("provider {} failed {} times in a row; its breaker is open", options.name,
                                   failures_in_a_row)
                     : fmt::format("provider {} asked for a pause", options.name);
    if (is_open && is_probe_out) return fmt::format("provider {} is being probed", options.name);
    if (in_flight >= options.calls_max)
      return fmt::format("{} calls to provider {} are under way already", in_flight, options.name);
    return {};
  }

  void hold(Millis time) { closed_until = std::max(closed_until, clock.monotonic() + nanoseconds{time}); }

  void note(HttpAnswer const& answer, bool is_probe) {
    if (auto const asked = asked_pause(answer, clock.now())) hold(std::min(*asked, pause_longest));
    compare_clocks(answer);
    if (!is_failure(answer)) {
      held_back = 0;
      if (is_open) log_info("provider {} answers again; its breaker is closed", options.name);
      failures_in_a_row = 0;
      is_open = false;
      pause = options.breaker_pause;
      return;
    }
    ++failures_in_a_row;
    // Calls that left before it opened say nothing new.
    bool const is_news = is_open ? is_probe : failures_in_a_row >= options.breaker_failures;
    if (!is_news) return;
    if (!is_open)
      log_error("provider {} failed {} times in a row; nothing is sent to it for {} ms", options.name,
                failures_in_a_row, pause.count());
    is_open = true;
    hold(pause);
    pause = std::min(pause * 2, pause_longest);
  }

  void count() { is_crowded = in_flight + held_back >= options.calls_max; }

  void compare_clocks(HttpAnswer const& answer) {
    if (answer.delivery != Delivery::answered) return;
    auto const date = answer.header("Date");
    auto const theirs = date ? parse_http_date(*date) : std::nullopt;
    if (!theirs) return;
    clock_ahead = clock.now() - *theirs;
    bool const is_far = std::chrono::abs(*clock_ahead) > clock_alarm;
    if (is_far && !has_clock_alarm)
      log_error("our clock and that of provider {} are {} ms apart; signed calls and notices will be refused",
                options.name, clock_ahead->count());
    has_clock_alarm = is_far;
  }
};

GuardedClient::GuardedClient(HttpClient& http, Loop& loop, Clock const& clock, Options options)
    : state_(std::make_shared<State>(http, loop, clock, std::move(options))) {}

GuardedClient::~GuardedClient() = default;

void GuardedClient::send(HttpCall call, Done done) {
  State& state = *state_;
  if (std::string why = state.why_not(); !why.empty()) {
    ++state.held_back;
    state.count();
    HttpAnswer refusal{.delivery = Delivery::never_sent, .error = std::move(why)};
    state.loop.post([done = std::move(done), refusal = std::move(refusal)]() mutable { done(std::move(refusal)); });
    return;
  }
  ++state.in_flight;
  state.count();
  bool const is_probe = state.is_open;
  if (is_probe) state.is_probe_out = true;
  state.http.send(std::move(call), [kept = state_, is_probe, done = std::move(done)](HttpAnswer answer) mutable {
    --kept->in_flight;
    if (is_probe) kept->is_probe_out = false;
    kept->note(answer, is_probe);
    kept->count();
    done(std::move(answer));
  });
}

bool GuardedClient::is_crowded() const { return state_->is_crowded; }

ProviderHealth GuardedClient::health() const {
  State const& state = *state_;
  bool const is_held = state.clock.monotonic() < state.closed_until;
  BreakerState const breaker = !state.is_open ? BreakerState::closed
                               : is_held      ? BreakerState::open
                                              : BreakerState::probing;
  return {breaker, state.in_flight, state.clock_ahead};
}

}  // namespace payonce
