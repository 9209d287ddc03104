#include "bench/load.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "bench/connection.h"

namespace payonce::bench {

namespace {

constexpr std::size_t shown_chars = 300;

// One buyer after the other on one connection.
struct Buyer {
  Connection connection;
  std::chrono::nanoseconds sent_at{0};
};

class Load {
 public:
  Load(LoadOptions const& options, Clock const& clock) : options_(options), clock_(clock) {}

  Result<void> connect() {
    for (int i = 0; i < options_.connections; ++i) {
      auto connection = Connection::open(options_.host, options_.port);
      if (!connection) return std::unexpected(connection.error());
      buyers_.push_back({std::move(*connection)});
    }
    return {};
  }

  LoadResult run(std::function<void()> const& on_measuring) {
    int const poller = epoll_create1(EPOLL_CLOEXEC);
    for (Buyer& buyer : buyers_) {
      epoll_event event{.events = EPOLLIN, .data = {.ptr = &buyer}};
      epoll_ctl(poller, EPOLL_CTL_ADD, buyer.connection.descriptor(), &event);
      send_payment(buyer);
    }
    serve_until(poller, clock_.monotonic() + options_.warm_up);
    on_measuring();
    result_ = {};
    auto const start = clock_.monotonic();
    serve_until(poller, start + options_.duration);
    result_.measured = clock_.monotonic() - start;
    close(poller);
    std::ranges::sort(result_.payment_us);
    return std::move(result_);
  }

 private:
  void serve_until(int poller, std::chrono::nanoseconds deadline) {
    std::array<epoll_event, 256> events;
    while (clock_.monotonic() < deadline) {
      int const count = epoll_wait(poller, events.data(), events.size(), 100);
      for (int i = 0; i < count; ++i) receive(*static_cast<Buyer*>(events[static_cast<std::size_t>(i)].data.ptr));
    }
  }

  void receive(Buyer& buyer) {
    Connection::Answer answer;
    switch (buyer.connection.receive(answer)) {
      case Connection::Progress::more: return;
      case Connection::Progress::closed: return note_unexpected("connection closed");
      case Connection::Progress::complete: break;
    }
    bool const is_paid = answer.status == 201 && answer.body.contains(R"("state":"SUCCEEDED")");
    is_paid ? static_cast<void>(++result_.payments) : note_unexpected(answer.body);
    result_.payment_us.push_back(static_cast<std::uint32_t>((clock_.monotonic() - buyer.sent_at).count() / 1000));
    send_payment(buyer);
  }

  void note_unexpected(std::string_view what) {
    if (result_.unexpected++ == 0) result_.first_unexpected = what.substr(0, shown_chars);
  }

  // Order numbers ascend, as shops count them.
  void send_payment(Buyer& buyer) {
    std::string const order = fmt::format("{}-{:08}", options_.run_id, ++orders_);
    std::string const body =
        fmt::format(R"({{"order_id":"{}","amount":1999,"currency":"CNY","register_order":true}})", order);
    std::string const request = fmt::format(
        "POST /v1/payments HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n"
        "Idempotency-Key: {}\r\nContent-Length: {}\r\n\r\n{}",
        options_.host, options_.api_key, order, body.size(), body);
    buyer.sent_at = clock_.monotonic();
    if (!buyer.connection.send(request)) note_unexpected("the request could not be sent");
  }

  LoadOptions const& options_;
  Clock const& clock_;
  std::vector<Buyer> buyers_;
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
