// What every part of a simulated world shares: its plan, time, chance and story, and the verdict on it.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "payment/order.h"
#include "simulate/agenda.h"
#include "simulate/chronicle.h"
#include "simulate/plan.h"

namespace payonce::simulate {

struct Violation {
  int invariant;  // its number in verify/finding.h
  int order;      // or Chronicle::everyone
  std::string fact;
};

class Stage {
 public:
  Stage(Plan plan, bool keeps_story);

  Plan const plan;
  Agenda agenda;
  Chronicle chronicle;
  SeededRandom chance;  // of what concerns no single order

  // From now on nothing fails any more and nobody comes any more.
  void calm_down() { is_calm_ = true; }
  bool is_calm() const { return is_calm_; }

  // Whether it happens now; what concerns an order depends on that order's chance alone, so that a run with fewer
  // orders remains the same for those that are left.
  bool happens(Trouble trouble, int order) { return happens(trouble, chance_of(order)); }
  bool happens(Trouble trouble, Random& random);
  // It happens the next time that it could, whatever the odds.
  void make_happen(Trouble trouble) { ++forced_[static_cast<std::size_t>(trouble)]; }
  Random& chance_of(int order);
  Millis between(Millis least, Millis most, int order);

  // The world's own tasks.
  void after(Agenda::Moment delay, Task task) { agenda.at(agenda.now() + delay, Agenda::world, std::move(task)); }

  template <class... Args>
  void tell(int order, fmt::format_string<Args...> text, Args&&... args) {
    chronicle.tell(agenda.now(), order, text, std::forward<Args>(args)...);
  }
  // Only the first one is kept: what follows may follow from it.
  void accuse(int invariant, int order, std::string fact);
  std::optional<Violation> const& violation() const { return violation_; }

  Time wall_time() const;

  // How orders and numbers are spelled, and back. Strangers are nobody's order.
  static std::string order_name(int order);
  static int order_of(std::string_view order_name);

  // What the banks together did for an order.
  struct AtBanks {
    std::int64_t asked_minor = 0;  // what the buyer owes
    std::int64_t taken_minor = 0;
    bool minds_changed = false;  // a bank charges what it declined
  };
  std::map<int, AtBanks> at_banks;

  // For the report: how often each trouble happened, and what was done in spite of it.
  std::array<std::uint64_t, trouble_count> happened{};
  struct Deeds {
    std::uint64_t payments = 0;  // begun
    std::uint64_t charges = 0;
    std::uint64_t refunds = 0;
    std::uint64_t captures = 0;
    std::uint64_t disputes = 0;
    std::uint64_t deliveries = 0;
    std::uint64_t answers = 0;  // to buyers and shops
  };
  Deeds deeds;

 private:
  bool is_calm_ = false;
  std::array<int, trouble_count> forced_{};
  std::vector<SeededRandom> order_chances_;
  std::optional<Violation> violation_;
};

inline MerchantId const simulated_merchant{"shop"};

}  // namespace payonce::simulate
