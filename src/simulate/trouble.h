// Everything that can go wrong in a simulated world, by name. How often each does is drawn from the seed; a run has
// some of them and lacks others altogether, since a fault that always happens hides those behind it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace payonce::simulate {

enum class Trouble {
  // Between buyers and nodes.
  request_lost,
  request_twice,
  answer_lost,
  // Between nodes and banks.
  call_not_sent,
  call_lost,
  call_late,
  call_twice,
  call_answer_lost,
  bank_error,
  // What banks do.
  declines,
  works_on_it,
  needs_buyer,
  late_success,
  refund_refused,
  capture_refused,
  disputes,
  notice_lost,
  notice_late,
  notice_twice,
  // What shops do with what is delivered to them.
  shop_refuses,
  shop_answer_lost,
  // What buyers and shops ask for.
  double_click,
  second_device,
  other_content,
  replaces,
  abandons,
  cancels,
  closes,
  expires,
  refunds,
  // What a store does, per transaction.
  commit_fails,
  commit_answer_lost,
  read_fails,
  // Per second of the run, each to one node or bank.
  node_dies,
  node_freezes,
  power_fails,
  disk_slow,
  clock_jumps,
  cut_off,
  bank_away,
};

struct TroubleName {
  Trouble trouble;
  std::string_view name;
  int most_per_mille;  // of the odds that a seed may draw
};

inline constexpr std::array<TroubleName, 40> troubles{{
    {Trouble::request_lost, "requests are lost", 150},
    {Trouble::request_twice, "requests come twice", 150},
    {Trouble::answer_lost, "answers are lost", 200},
    {Trouble::call_not_sent, "calls are not sent", 150},
    {Trouble::call_lost, "calls are lost", 150},
    {Trouble::call_late, "calls arrive late", 150},
    {Trouble::call_twice, "calls arrive twice", 150},
    {Trouble::call_answer_lost, "banks' answers are lost", 250},
    {Trouble::bank_error, "banks answer nonsense", 150},
    {Trouble::declines, "banks decline", 300},
    {Trouble::works_on_it, "banks take their time", 300},
    {Trouble::needs_buyer, "banks ask the buyer", 300},
    {Trouble::late_success, "banks charge what they declined", 150},
    {Trouble::refund_refused, "banks refuse refunds", 200},
    {Trouble::capture_refused, "banks refuse captures", 200},
    {Trouble::disputes, "payers dispute", 150},
    {Trouble::notice_lost, "notices are lost", 300},
    {Trouble::notice_late, "notices are late", 300},
    {Trouble::notice_twice, "notices come twice", 300},
    {Trouble::shop_refuses, "shops refuse deliveries", 300},
    {Trouble::shop_answer_lost, "shops' answers are lost", 200},
    {Trouble::double_click, "buyers click twice", 300},
    {Trouble::second_device, "buyers use two devices", 200},
    {Trouble::other_content, "keys are used again for something else", 150},
    {Trouble::replaces, "buyers change the method", 200},
    {Trouble::abandons, "buyers walk away", 500},
    {Trouble::cancels, "buyers cancel", 200},
    {Trouble::closes, "shops close orders", 150},
    {Trouble::expires, "orders expire", 150},
    {Trouble::refunds, "shops give back", 500},
    {Trouble::commit_fails, "commits fail", 60},
    {Trouble::commit_answer_lost, "commits' answers are lost", 60},
    {Trouble::read_fails, "reads fail", 60},
    {Trouble::node_dies, "nodes die", 150},
    {Trouble::node_freezes, "nodes stand still", 60},
    {Trouble::power_fails, "the power fails", 100},
    {Trouble::disk_slow, "the disk is slow", 80},
    {Trouble::clock_jumps, "clocks jump", 80},
    {Trouble::cut_off, "nodes are cut off from the banks", 80},
    {Trouble::bank_away, "banks are away", 60},
}};

inline constexpr std::size_t trouble_count = troubles.size();

constexpr std::string_view to_text(Trouble trouble) { return troubles[static_cast<std::size_t>(trouble)].name; }

static_assert([] {
  for (std::size_t i = 0; i < trouble_count; ++i)
    if (troubles[i].trouble != static_cast<Trouble>(i)) return false;
  return true;
}());

}  // namespace payonce::simulate
