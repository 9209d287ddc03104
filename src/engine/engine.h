// Turns commands into commits, and what a commit asks for into calls: the shell around the rules. The verbs (pay.h,
// resolve.h, receive_notice.h, …) are functions over it. Loop thread only.
#pragma once

#include <cstddef>
#include <tuple>

#include "base/clock.h"
#include "base/fault_point.h"
#include "base/loop.h"
#include "base/random.h"
#include "engine/hub.h"
#include "engine/metrics.h"
#include "payment/terms.h"
#include "provider/registry.h"
#include "store/committer.h"
#include "store/read_lane.h"

namespace payonce {

// The reply of a verb: what the rules said, with errors of the store turned into refusals.
using Answered = std::expected<Reply, Refusal>;
using AnsweredDone = std::move_only_function<void(Answered)>;

class Engine {
 public:
  // All must outlive the engine.
  struct Parts {
    Loop& loop;
    Clock const& clock;
    Random& random;
    Committer& committer;
    ReadLane& reads;
    Providers const& providers;
    Metrics& metrics;
    FaultPoints const& fault_points;
  };

  explicit Engine(Parts parts) : parts_(parts) {}

  Parts const& parts() const { return parts_; }
  // Those who wait for attempts, for refunds and for captures.
  template <class Row>
  Hub<Row>& hub() {
    return std::get<Hub<Row>>(hubs_);
  }

  // Commits the command; then tells those who wait, makes the calls the commit asks for, and calls `done`.
  void execute(Command command, AnsweredDone done);

  // Provider calls and commits under way; 0 means that nothing would be lost by stopping now.
  std::size_t under_way() const { return under_way_; }

  // From now on nobody waits for what nobody here is doing any more.
  void begin_drain() { is_draining_ = true; }
  bool is_draining() const { return is_draining_; }

 private:
  // Makes one provider call and records what came of it. This is the only place that calls a provider.
  void perform(ProviderCall call);
  void record(ProviderCall const& call, Answer answer);

  Parts const parts_;
  std::tuple<Hub<Attempt>, Hub<Refund>, Hub<Capture>> hubs_;
  std::size_t under_way_ = 0;
  bool is_draining_ = false;
};

}  // namespace payonce
