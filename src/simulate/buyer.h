// One order's people: a buyer who pays, gets impatient, walks away or comes back, and a shop that cancels, closes and
// gives back. They ask until they are answered, always under the same key.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "simulate/town.h"

namespace payonce::simulate {

class Buyer {
 public:
  Buyer(Town town, int order) : town_(town), order_(order) {}
  Buyer(Buyer const&) = delete;
  Buyer& operator=(Buyer const&) = delete;

  // Begins at some moment of the storm.
  void come();
  bool is_waiting() const { return waiting_for_ > 0; }
  // Asks again for every payment and refund that it was given; nothing may come of it.
  void repeat_everything();

 private:
  using Start = std::function<void(Engine&, AnsweredDone)>;
  using Heard = std::function<void(Answered const&)>;
  struct Errand {
    std::string words;
    Judge::Asked asked;
    Start start;
    Heard heard;
    bool is_over = false;
    bool was_served = false;
  };
  using ErrandPtr = std::shared_ptr<Errand>;

  void ask(std::string words, Judge::Asked asked, Start start, Heard heard);
  void try_once(ErrandPtr const& errand);
  void arrive(ErrandPtr const& errand, Millis delay);
  void answered(ErrandPtr const& errand, Answered const& answer);

  void begin_try(std::string const& part = {});
  void begin_tries();
  void pay(std::string const& key, std::string const& method, Heard heard, bool replaces = false);
  void misbehave(std::string const& key);
  void hear_payment(std::string const& key, Answered const& answer);
  void hear_attempt(std::string const& key, Attempt const& attempt);
  void act_at_bank(Attempt const& attempt);
  void ask_again(std::string const& key);
  // What it still means to do counts as waiting.
  void later(Millis delay, std::function<void()> act);
  void cancel();
  void close();
  void refund(AttemptId const& attempt, std::int64_t left_minor);
  void may_refund(Attempt const& attempt);
  // What the shop does with money that is held: all of it, less, in parts, or nothing.
  void hear_hold(Attempt const& attempt);
  void capture(Attempt const& attempt, std::int64_t minor, bool is_final);

  std::string const& some_bank();
  Millis between(Millis least, Millis most) { return town_.stage.between(least, most, order_); }
  bool happens(Trouble trouble) { return town_.stage.happens(trouble, order_); }
  OrderKey key() const { return {simulated_merchant, OrderId{Stage::order_name(order_)}}; }

  Town town_;
  int const order_;
  std::int64_t amount_minor_ = 0;
  Policy policy_ = Policy::single;
  CaptureMode mode_ = CaptureMode::automatic;
  std::map<std::string, std::string> bank_of_key_;
  int tries_ = 0;
  int refunds_ = 0;
  int captures_ = 0;
  int waiting_for_ = 0;
  bool has_acted_ = false;
  std::set<std::string> holds_heard_;
  AttemptId attempt_;
  std::vector<ErrandPtr> errands_;
};

}  // namespace payonce::simulate
