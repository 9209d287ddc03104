#include "check/explore.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "check/laws.h"
#include "check/seen.h"
#include "check/steps.h"

namespace payonce::check {

namespace {

struct Visit {
  State state;
  StateNumber number;
};

// A step that fairness alone brings about.
struct Edge {
  StateNumber from;
  StateNumber to;
};

// A broken invariant: in the state itself, or in one of its steps.
struct Broken {
  std::string what;
  StateNumber number = 0;
  std::optional<std::uint16_t> step = {};
};

// What one thread found.
struct Harvest {
  std::vector<Visit> next;
  std::vector<Edge> edges;
  std::vector<StateNumber> ends;
  std::optional<Broken> broken;
  std::size_t steps = 0;
};

class Explorer {
 public:
  Explorer(Scope const& scope, Bounds const& bounds)
      : scope_(scope), bounds_(bounds), terms_(scope), seen_(bounds.states_max), harvests_(bounds.threads) {}

  Exploration run() {
    Exploration result{.scope = &scope_};
    State const first = canonical(first_state(scope_));
    seen_.add(fingerprint(first), {});
    std::vector<Visit> level{{first, 0}};
    while (!level.empty() && !broken() && seen_.size() < bounds_.states_max) {
      expand(level);
      level = take_next_level();
      if (!level.empty()) ++result.depth;
    }
    result.is_whole = level.empty() && !broken();
    result.states = seen_.size();
    for (Harvest const& harvest : harvests_) {
      result.steps += harvest.steps;
      result.ends += harvest.ends.size();
    }
    if (Broken const* found = broken())
      result.findings.push_back({found->what, story_of(*found)});
    else if (result.is_whole)
      if (auto const stuck = first_without_end())
        result.findings.push_back({"9: from here no end can be reached", story_of({{}, *stuck, {}})});
    return result;
  }

 private:
  void expand(std::vector<Visit> const& level) {
    std::atomic<std::size_t> at = 0;
    auto const work = [&](Harvest& harvest) {
      constexpr std::size_t stride = 64;
      while (seen_.size() < bounds_.states_max) {
        std::size_t const from = at.fetch_add(stride);
        if (from >= level.size()) return;
        for (std::size_t i = from; i < std::min(from + stride, level.size()); ++i) visit(level[i], harvest);
      }
    };
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < harvests_.size(); ++i) others.emplace_back([&, i] { work(harvests_[i]); });
    work(harvests_[0]);
  }

  void visit(Visit const& from, Harvest& harvest) {
    std::string broken;
    auto const steps = steps_from(from.state, scope_, terms_, Words::without, broken);
    if (!broken.empty()) return note(harvest, {std::move(broken), from.number, {}});
    if (is_quiet(from.state)) harvest.ends.push_back(from.number);
    harvest.steps += steps.size();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      auto const index = static_cast<std::uint16_t>(i);
      if (!steps[i].broken.empty()) return note(harvest, {steps[i].broken, from.number, index});
      auto const [number, is_new] = seen_.add(fingerprint(steps[i].next), {from.number, index});
      if (steps[i].is_fair && number != from.number) harvest.edges.push_back({from.number, number});
      if (is_new) harvest.next.push_back({steps[i].next, number});
    }
  }

  // Any one will do, the least by number, so that one thread tells the same story each time.
  static void note(Harvest& harvest, Broken broken) {
    if (!harvest.broken || broken.number < harvest.broken->number) harvest.broken = std::move(broken);
  }
  Broken const* broken() const {
    Broken const* least = nullptr;
    for (Harvest const& harvest : harvests_)
      if (harvest.broken && (!least || harvest.broken->number < least->number)) least = &*harvest.broken;
    return least;
  }

  std::vector<Visit> take_next_level() {
    std::vector<Visit> level = std::exchange(harvests_[0].next, {});
    for (std::size_t i = 1; i < harvests_.size(); ++i) {
      auto more = std::exchange(harvests_[i].next, {});
      level.insert(level.end(), more.begin(), more.end());
    }
    return level;
  }

  // Backwards from all ends over fair steps; the first state that is not met.
  std::optional<StateNumber> first_without_end() {
    std::size_t const states = seen_.size();
    std::vector<std::size_t> first_edge(states + 1);
    for (Harvest const& harvest : harvests_)
      for (Edge const& edge : harvest.edges) ++first_edge[edge.to + 1];
    for (std::size_t i = 0; i < states; ++i) first_edge[i + 1] += first_edge[i];
    std::vector<StateNumber> origins(first_edge.back());
    std::vector<std::size_t> filled{first_edge.begin(), first_edge.end() - 1};
    for (Harvest& harvest : harvests_)
      for (Edge const& edge : std::exchange(harvest.edges, {})) origins[filled[edge.to]++] = edge.from;

    std::vector<bool> reaches_end(states);
    std::vector<StateNumber> open;
    auto const reach = [&](StateNumber number) {
      if (!reaches_end[number]) open.push_back(number);
      reaches_end[number] = true;
    };
    for (Harvest const& harvest : harvests_) std::ranges::for_each(harvest.ends, reach);
    while (!open.empty()) {
      StateNumber const to = open.back();
      open.pop_back();
      for (std::size_t i = first_edge[to]; i < first_edge[to + 1]; ++i) reach(origins[i]);
    }
    auto const at = std::ranges::find(reaches_end, false);
    if (at == reaches_end.end()) return std::nullopt;
    return static_cast<StateNumber>(at - reaches_end.begin());
  }

  // Walks from the first state to the broken one again, this time with words.
  std::vector<std::string> story_of(Broken const& broken) const {
    std::vector<std::uint16_t> path;
    for (StateNumber at = broken.number; at != 0; at = seen_.origin_of(at).from)
      path.push_back(seen_.origin_of(at).step);
    std::ranges::reverse(path);
    if (broken.step) path.push_back(*broken.step);
    State state = canonical(first_state(scope_));
    std::vector<std::string> story;
    for (std::uint16_t const step : path) {
      std::string ignored;
      auto const steps = steps_from(state, scope_, terms_, Words::with, ignored);
      story.push_back(steps.at(step).words);
      state = steps[step].next;
    }
    return story;
  }

  Scope const& scope_;
  Bounds const bounds_;
  ScopeTerms const terms_;
  Seen seen_;
  std::vector<Harvest> harvests_;
};

}  // namespace

Exploration explore(Scope const& scope, Bounds const& bounds) { return Explorer{scope, bounds}.run(); }

}  // namespace payonce::check
