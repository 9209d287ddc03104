#include "net/asio_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace payonce {
namespace {

using namespace std::chrono_literals;

TEST(AsioLoop, RunsTasksInTheOrderOfPosting) {
  AsioLoop loop;
  std::vector<int> seen;
  for (int i = 0; i < 100; ++i) loop.post([&, i] { seen.push_back(i); });
  loop.post([&] { loop.post([&] { loop.stop(); }); });
  loop.run();
  ASSERT_EQ(seen.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
}

TEST(AsioLoop, TakesTasksFromManyThreads) {
  AsioLoop loop;
  constexpr int per_thread = 20'000;
  int seen = 0;
  auto const feed = [&] {
    for (int i = 0; i < per_thread; ++i)
      loop.post([&] {
        if (++seen == 2 * per_thread) loop.stop();
      });
  };
  std::thread first(feed);
  std::thread second(feed);
  loop.run();
  first.join();
  second.join();
  EXPECT_EQ(seen, 2 * per_thread);
}

TEST(AsioLoop, ATaskThatThrowsEndsAlone) {
  AsioLoop loop;
  std::string seen;
  loop.post([] { throw std::runtime_error("bad task"); });
  loop.post([&] { seen += "a"; });
  loop.after(0ms, [] { throw 7; });
  loop.after(1ms, [&] {
    seen += "b";
    loop.stop();
  });
  loop.run();
  EXPECT_EQ(seen, "ab");
}

TEST(AsioLoop, TimersRunByTimeThenByCreationAndNotOnceCanceled) {
  AsioLoop loop;
  std::string seen;
  loop.after(20ms, [&] {
    seen += "d";
    loop.stop();
  });
  loop.after(10ms, [&] { seen += "b"; });
  auto const gone = loop.after(10ms, [&] { seen += "!"; });
  loop.after(10ms, [&] { seen += "c"; });
  loop.after(0ms, [&] {
    seen += "a";
    loop.cancel(gone);
    loop.cancel(gone);
  });
  loop.run();
  EXPECT_EQ(seen, "abcd");
}

TEST(AsioLoop, KeepsQueuedTasksOverAStop) {
  AsioLoop loop;
  std::string seen;
  loop.post([&] {
    seen += "a";
    loop.stop();
  });
  loop.post([&] {
    seen += "b";
    loop.stop();
  });
  loop.run();
  EXPECT_EQ(seen, "a");
  loop.run();
  EXPECT_EQ(seen, "ab");
}

TEST(AsioLoop, HandsSignalsToTheOwner) {
  AsioLoop loop;
  std::vector<int> seen;
  loop.on_signals({SIGUSR1, SIGUSR2}, [&](int number) {
    seen.push_back(number);
    if (seen.size() == 2) return loop.stop();
    ::raise(SIGUSR2);
  });
  loop.post([] { ::raise(SIGUSR1); });
  loop.run();
  EXPECT_EQ(seen, (std::vector<int>{SIGUSR1, SIGUSR2}));
}

}  // namespace
}  // namespace payonce
