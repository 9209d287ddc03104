#include "engine/hub.h"

#include <gtest/gtest.h>

#include <vector>

#include "payment/order.h"

namespace payonce {

namespace {

Attempt attempt_named(std::string id) { return {.id = AttemptId{std::move(id)}, .amount = {1, Currency::of("USD")}}; }

}  // namespace

TEST(Hub, TellsThoseWhoListenToThisAttempt) {
  Hub<Attempt> hub;
  std::vector<std::string> heard;
  hub.listen(AttemptId{"a"}, [&](Attempt const& attempt) { heard.push_back("1" + attempt.id.value); });
  hub.listen(AttemptId{"a"}, [&](Attempt const& attempt) { heard.push_back("2" + attempt.id.value); });
  hub.listen(AttemptId{"b"}, [&](Attempt const& attempt) { heard.push_back("3" + attempt.id.value); });
  hub.publish(attempt_named("a"));
  hub.publish(attempt_named("c"));
  EXPECT_EQ(heard, (std::vector<std::string>{"1a", "2a"}));
  EXPECT_EQ(hub.listeners(), 3u);
}

TEST(Hub, NobodyIsToldAfterLeaving) {
  Hub<Attempt> hub;
  int heard = 0;
  auto const ticket = hub.listen(AttemptId{"a"}, [&](Attempt const&) { ++heard; });
  hub.unlisten(ticket);
  hub.unlisten(ticket);
  hub.publish(attempt_named("a"));
  EXPECT_EQ(heard, 0);
  EXPECT_EQ(hub.listeners(), 0u);
}

TEST(Hub, AListenerMayLeaveAndJoinWhileItIsTold) {
  Hub<Attempt> hub;
  int heard = 0;
  Hub<Attempt>::Ticket ticket;
  ticket = hub.listen(AttemptId{"a"}, [&](Attempt const&) {
    ++heard;
    hub.unlisten(ticket);
    hub.listen(AttemptId{"a"}, [&](Attempt const&) { heard += 10; });
  });
  hub.publish(attempt_named("a"));
  EXPECT_EQ(heard, 1) << "who joined during a message hears the next one";
  hub.publish(attempt_named("a"));
  EXPECT_EQ(heard, 11);
}

}  // namespace payonce
