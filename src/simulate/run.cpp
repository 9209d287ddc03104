#include "simulate/run.h"

#include <exception>
#include <memory>
#include <optional>

#include "simulate/buyer.h"
#include "simulate/world.h"

namespace payonce::simulate {

namespace {

using namespace std::chrono_literals;

// In calm, how long it may take until everything has come to its end: attempts live for minutes, and deliveries that
// failed in the storm wait for their next try.
constexpr Millis calm_max = 3h;
constexpr Millis first_look = 20s;

class Run {
 public:
  Run(Plan const& plan, std::string const& folder, bool keeps_story) : world_(plan, folder, keeps_story) {
    for (int i = 0; i < plan.orders; ++i) buyers_.push_back(std::make_unique<Buyer>(world_.town(), i));
  }

  RunResult go() {
    RunResult result;
    try {
      storm();
      calm();
    } catch (std::exception const& error) {
      result.verdict = Verdict::broken;
      result.what = error.what();
    }
    if (auto const& violation = stage_.violation()) {
      result.verdict = Verdict::violated;
      result.what = violation->fact;
      result.invariant = violation->invariant;
      result.order = violation->order;
    } else if (result.verdict == Verdict::holds && unsettled_) {
      result.verdict = Verdict::not_settled;
      result.what = unsettled_->what;
      result.order = unsettled_->order;
    }
    result.trace_hash = stage_.chronicle.hash();
    result.virtual_time = stage_.agenda.now();
    result.happened = stage_.happened;
    result.deeds = stage_.deeds;
    result.story = stage_.chronicle.lines();
    return result;
  }

 private:
  void storm() {
    world_.start_nodes();
    for (int i = 0; i < stage_.plan.orders; ++i)
      if (stage_.plan.only_order < 0 || stage_.plan.only_order == i) buyers_[static_cast<std::size_t>(i)]->come();
    mischief();
    world_.pass(stage_.plan.storm);
    if (!world_.is_over()) world_.judge().examine();
  }

  void calm() {
    if (world_.is_over()) return;
    world_.calm_down();
    Agenda::Moment const end = stage_.agenda.now() + calm_max;
    for (Millis look = first_look; stage_.agenda.now() < end; look += look / 2) {
      world_.pass(look);
      if (world_.is_over()) return;
      world_.ask_the_banks_by_phone();
      unsettled_ = what_is_unsettled();
      if (!unsettled_) return examine_the_end();
    }
  }

  std::optional<Unsettled> what_is_unsettled() {
    for (std::size_t i = 0; i < buyers_.size(); ++i)
      if (buyers_[i]->is_waiting()) return Unsettled{static_cast<int>(i), "the buyer is not answered"};
    return world_.unsettled();
  }

  // What was promised stands, and repeating everything changes nothing.
  void examine_the_end() {
    world_.judge().examine_promises();
    world_.judge().examine();
    std::int64_t const newest = world_.judge().newest_event();
    for (auto const& buyer : buyers_) buyer->repeat_everything();
    world_.postman().repeat_everything();
    world_.pass(2min);
    world_.judge().examine();
    if (auto const order = world_.judge().order_changed_since(newest))
      stage_.accuse(9, *order, "repeating what had been done already changed something");
  }

  Millis shortly() { return stage_.between(1ms, 999ms, Chronicle::everyone); }
  Millis soon(Millis most) { return stage_.between(0ms, most, Chronicle::everyone); }
  bool strikes(Trouble trouble) { return stage_.happens(trouble, Chronicle::everyone); }

  // Once a second, whatever befalls machines and lines.
  void mischief() {
    if (stage_.is_calm()) return;
    for (auto const& node : world_.town().nodes) strike(*node);
    for (auto const& [name, bank] : world_.town().banks)
      if (strikes(Trouble::bank_away)) world_.send_away(name, soon(10s));
    if (strikes(Trouble::power_fails)) {
      Millis const delay = shortly();
      for (auto const& node : world_.town().nodes) may_falter(*node, delay);
      stage_.after(delay, [this] { lose_power(); });
    }
    stage_.after(1s, [this] { mischief(); });
  }

  void strike(Node& node) {
    Agenda::Moment const now = stage_.agenda.now();
    if (strikes(Trouble::node_dies)) stage_.after(may_falter(node, shortly()), [this, &node] { kill(node); });
    if (strikes(Trouble::node_freezes)) stage_.after(may_falter(node, shortly()), [this, &node] { freeze(node); });
    if (strikes(Trouble::disk_slow)) node.slow_down(now + soon(5s), 2s);
    if (strikes(Trouble::clock_jumps)) node.jump_clock(soon(40s) - 20s);
    if (strikes(Trouble::cut_off)) node.cut_off(now + soon(10s));
  }

  // What is about to fail is often slow before, so that more than usual is under way when it does.
  Millis may_falter(Node& node, Millis delay) {
    if (stage_.chance.below(2) == 0) node.slow_down(stage_.agenda.now() + delay, delay);
    return delay;
  }

  void freeze(Node& node) {
    if (!stage_.is_calm()) node.freeze(stage_.agenda.now() + soon(60s));
  }

  void kill(Node& node) {
    if (!node.is_up() || stage_.is_calm()) return;
    world_.kill(node);
    restart_soon(node);
  }

  void lose_power() {
    if (stage_.is_calm()) return;
    world_.lose_power();
    for (auto const& node : world_.town().nodes) restart_soon(*node);
  }

  void restart_soon(Node& node) {
    stage_.after(50ms + soon(8s), [&node] {
      if (!node.is_up()) node.start();
    });
  }

  World world_;
  Stage& stage_ = world_.stage();
  std::vector<std::unique_ptr<Buyer>> buyers_;
  std::optional<Unsettled> unsettled_;
};

}  // namespace

RunResult run_plan(Plan const& plan, std::string const& folder, bool keeps_story) {
  return Run{plan, folder, keeps_story}.go();
}

}  // namespace payonce::simulate
