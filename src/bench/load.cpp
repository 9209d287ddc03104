#include "bench/load.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <deque>
#include <optional>
#include <span>
#include <utility>

#include "base/crypto.h"
#include "bench/connection.h"
#include "bench/schedule.h"
#include "bench/subject.h"

namespace payonce::bench {

namespace {

constexpr std::size_t shown_chars = 300;
// For the last answers at a fixed rate: whoever takes longer does not keep up with it.
constexpr std::chrono::seconds patience{10};
constexpr std::string_view succeeded = R"("state":"SUCCEEDED")";

// One buyer after the other on one connection, or one who asks again and again.
struct Buyer {
  Connection connection;
  std::string repeated;               // the request, once it is always the same
  std::string told;                   // the notice that comes once more
  std::chrono::nanoseconds since{0};  // when it was sent, or should have been
};

class Load {
 public:
  Load(LoadOptions const& options, Clock const& clock) : options_(options), clock_(clock) {}

  Result<void> connect() {
    for (int i = 0; i < options_.connections; ++i) {
      auto connection =
          Connection::open(options_.host, options_.ports[static_cast<std::size_t>(i) % options_.ports.size()]);
      if (!connection) return std::unexpected(connection.error());
      buyers_.push_back({std::move(*connection), {}, {}});
    }
    return {};
  }

  LoadResult run(std::function<void()> const& on_measuring) {
    poller_ = epoll_create1(EPOLL_CLOEXEC);
    for (Buyer& buyer : buyers_) {
      epoll_event event{.events = EPOLLIN, .data = {.ptr = &buyer}};
      epoll_ctl(poller_, EPOLL_CTL_ADD, buyer.connection.descriptor(), &event);
      if (options_.asked == Asked::pings) buyer.repeated = ping();
      if (options_.asked == Asked::replays) buyer.repeated = payment();
    }
    auto const start = clock_.monotonic() + options_.warm_up;
    auto const end = start + options_.duration;
    if (options_.rate > 0) schedule_.emplace(clock_.monotonic(), end, options_.rate);
    for (Buyer& buyer : buyers_) go_on(buyer);
    serve_until(start);
    on_measuring();
    result_ = {};
    if (schedule_) counted_from_ = start;
    serve_until(end);
    result_.measured = clock_.monotonic() - start;
    if (schedule_) finish(end);
    close(poller_);
    std::ranges::sort(result_.answer_us);
    return std::move(result_);
  }

 private:
  // What was due is answered, so that the slowest are among the figures.
  void finish(std::chrono::nanoseconds end) {
    auto const is_all_answered = [this] { return !schedule_->next() && idle_.size() == buyers_.size(); };
    while (!is_all_answered() && clock_.monotonic() < end + patience) serve(end + patience);
    if (!is_all_answered()) note_unexpected("not answered: the service does not keep up with this rate");
  }

  void serve_until(std::chrono::nanoseconds deadline) {
    while (clock_.monotonic() < deadline) serve(deadline);
  }

  // What is to be sent and received now; if there is nothing, the first that comes before the deadline.
  void serve(std::chrono::nanoseconds deadline) {
    send_due();
    if (schedule_ && !idle_.empty()) deadline = std::min(deadline, schedule_->next().value_or(deadline));
    std::array<epoll_event, 256> events;
    int const count = wait(events, deadline);
    for (int i = 0; i < count; ++i) receive(*static_cast<Buyer*>(events[static_cast<std::size_t>(i)].data.ptr));
  }

  // How many events there are.
  int wait(std::span<epoll_event> events, std::chrono::nanoseconds until) const {
    auto const left = std::max(until - clock_.monotonic(), std::chrono::nanoseconds{0});
    int const most = static_cast<int>(events.size());
    // (valgrind, which counts instructions of a closed loop, does not know the call below.)
    if (!schedule_)
      return epoll_wait(poller_, events.data(), most, static_cast<int>(std::chrono::ceil<Millis>(left).count()));
    // By the nanosecond, since payments may be due faster than every millisecond.
    timespec const time{.tv_sec = left.count() / 1'000'000'000, .tv_nsec = left.count() % 1'000'000'000};
    return epoll_pwait2(poller_, events.data(), most, &time, nullptr);
  }

  // A buyer who is free: in a closed loop the next one comes at once, at a fixed rate when one is due.
  void go_on(Buyer& buyer) {
    if (schedule_) return idle_.push_back(&buyer);
    send(buyer, clock_.monotonic());
  }

  void send_due() {
    while (schedule_ && !idle_.empty()) {
      auto const due = schedule_->take(clock_.monotonic());
      if (!due) return;
      Buyer& buyer = *idle_.front();
      idle_.pop_front();
      send(buyer, *due);
    }
  }

  void receive(Buyer& buyer) {
    Connection::Answer answer;
    switch (buyer.connection.receive(answer)) {
      case Connection::Progress::more: return;
      case Connection::Progress::closed: return note_unexpected("connection closed");
      case Connection::Progress::complete: break;
    }
    if (!is_expected(answer))
      note_unexpected(answer.body);
    else if (buyer.since >= counted_from_)
      count(buyer);
    bool const repeats = options_.asked == Asked::replays || options_.asked == Asked::polls;
    if (buyer.repeated.empty() && repeats) buyer.repeated = poll(answer.body);
    go_on(buyer);
  }

  void count(Buyer const& buyer) {
    ++result_.answers;
    result_.answer_us.push_back(static_cast<std::uint32_t>((clock_.monotonic() - buyer.since).count() / 1000));
  }

  bool is_expected(Connection::Answer const& answer) const {
    switch (options_.asked) {
      case Asked::payments: return answer.status == 201 && answer.body.contains(succeeded);
      case Asked::replays:
      case Asked::polls: return (answer.status == 200 || answer.status == 201) && answer.body.contains(succeeded);
      case Asked::pings: return answer.status == 200 && answer.body.contains(R"("status":"ok")");
      case Asked::refusals: return answer.status == 409 || answer.status == 201;  // 201: the one that pays it
      case Asked::notices: return answer.status == 200;
    }
    return false;
  }

  std::string next(Buyer& buyer) {
    if (options_.asked != Asked::notices) return payment();
    if (!buyer.told.empty()) return std::exchange(buyer.told, {});
    return buyer.told = notice();
  }

  void note_unexpected(std::string_view what) {
    if (result_.unexpected++ == 0) result_.first_unexpected = what.substr(0, shown_chars);
  }

  void send(Buyer& buyer, std::chrono::nanoseconds since) {
    buyer.since = since;
    if (!buyer.connection.send(buyer.repeated.empty() ? next(buyer) : buyer.repeated))
      note_unexpected("the request could not be sent");
  }

  // Order numbers ascend, as shops count them.
  std::string payment() {
    std::string const key = fmt::format("{}-{:08}", options_.run_id, ++orders_);
    std::string const& order = options_.asked == Asked::refusals ? options_.run_id : key;
    std::string const body =
        fmt::format(R"({{"order_id":"{}","amount":1999,"currency":"CNY","register_order":true}})", order);
    return fmt::format(
        "POST /v1/payments HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n"
        "Idempotency-Key: {}\r\nContent-Length: {}\r\n\r\n{}",
        options_.host, options_.api_key, key, body.size(), body);
  }

  // That one of the payments succeeded, which the books know; signed as the sandbox bank does.
  std::string notice() {
    std::string const& number = options_.numbers[static_cast<std::size_t>(orders_) % options_.numbers.size()].value;
    std::string const body = fmt::format(
        R"({{"id":"{}-{}","type":"charge.succeeded","account":"sandbox-account","number":"{}","status":"succeeded",)"
        R"("amount":1999,"currency":"CNY","charge_id":"{}"}})",
        options_.run_id, ++orders_, number, number);
    auto const seconds = to_epoch_ms(clock_.now()) / 1000;
    return fmt::format(
        "POST /v1/notices/sandbox HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n"
        "Sandbox-Signature: t={},v1={}\r\nContent-Length: {}\r\n\r\n{}",
        options_.host, seconds, hmac_sha256_hex(notice_secret, fmt::format("{}.{}", seconds, body)), body.size(), body);
  }

  std::string ping() const { return fmt::format("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", options_.host); }

  // For the payment whose answer this is.
  std::string poll(std::string_view answer) const {
    constexpr std::string_view mark = R"("id":")";
    auto const id = answer.substr(std::min(answer.find(mark) + mark.size(), answer.size()));
    return fmt::format("GET /v1/payments/{} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
                       id.substr(0, id.find('"')), options_.host, options_.api_key);
  }

  LoadOptions const& options_;
  Clock const& clock_;
  int poller_ = -1;
  std::vector<Buyer> buyers_;
  // At a fixed rate only: when payments are due, who is free, and from when on answers count.
  std::optional<Schedule> schedule_;
  std::deque<Buyer*> idle_;
  std::chrono::nanoseconds counted_from_{0};
  std::int64_t orders_ = 0;
  LoadResult result_;
};

}  // namespace

Result<LoadResult> run_load(LoadOptions const& options, Clock const& clock, std::function<void()> const& on_measuring) {
  Load load{options, clock};
  if (auto const done = load.connect(); !done) return std::unexpected(done.error());
  return load.run(on_measuring);
}

double percentile_ms(std::vector<std::uint32_t> const& sorted_us, double share) {
  if (sorted_us.empty()) return 0;
  auto const index = static_cast<std::size_t>(share * static_cast<double>(sorted_us.size() - 1));
  return sorted_us[index] / 1000.0;
}

}  // namespace payonce::bench
