// Virtual time: the order of what happens, and owners who stand still or die.
#include "simulate/agenda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace payonce::simulate {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr Agenda::Owner node = 1;
constexpr Agenda::Owner other = 2;

class AgendaTest : public testing::Test {
 protected:
  Loop::TimerId plan(Agenda::Moment moment, Agenda::Owner owner, std::string what) {
    return agenda_.at(moment, owner, [this, what = std::move(what)] {
      done_.push_back(what + " at " + std::to_string(agenda_.now() / 1s));
    });
  }
  void pass(Agenda::Moment end) {
    while (agenda_.step(end)) continue;
  }

  Agenda agenda_;
  std::vector<std::string> done_;
};

TEST_F(AgendaTest, WhoStandsStillDoesLaterWhatItWasGoingToDo) {
  plan(1s, node, "call");
  plan(2s, node, "save");
  plan(2s, other, "ask");
  plan(6s, node, "rest");
  agenda_.freeze(node, 5s);
  pass(10s);
  EXPECT_THAT(done_, ElementsAre("ask at 2", "call at 5", "save at 5", "rest at 6"));
}

TEST_F(AgendaTest, WhatWasPutOffCanStillBeCanceled) {
  auto const timer = plan(1s, node, "call");
  agenda_.freeze(node, 5s);
  pass(2s);
  agenda_.cancel(timer);
  pass(10s);
  EXPECT_THAT(done_, ElementsAre());
}

TEST_F(AgendaTest, WhoDiesWhileItStandsStillDoesNothingAnyMore) {
  plan(1s, node, "call");
  agenda_.freeze(node, 5s);
  pass(2s);
  agenda_.drop(node);
  pass(10s);
  EXPECT_THAT(done_, ElementsAre());
}

TEST_F(AgendaTest, ThawedOwnersGoOnAtOnce) {
  agenda_.freeze(node, 5s);
  agenda_.thaw();
  plan(1s, node, "call");
  pass(10s);
  EXPECT_THAT(done_, ElementsAre("call at 1"));
}

}  // namespace
}  // namespace payonce::simulate
