// A failure of the drill as data: what is done, and what must be true afterwards.
#pragma once

#include <span>
#include <string_view>

#include "drill/world.h"

namespace payonce::drill {

struct Expected {
  int charges = 1;
  int refunds = 0;
  std::string_view order_state = "PAID";
  int effects = 3;
};

// Whether it is run a second time against a bank that charges every request.
enum class AtForgetfulBank { too, not_applicable };

struct Failure {
  std::string_view name;
  std::string_view what;
  void (*run)(World&);
  AtForgetfulBank at_forgetful_bank = AtForgetfulBank::too;
  Expected expected = {};
  Millis call_timeout{400};
};

// All of them, in the order of the report.
std::span<Failure const> failures();

// The scenarios, one file per family. Each does its failure and returns when the order should be on its way to its end.

// lost_answers.cpp: the bank's answer is lost, late, or makes no sense
void response_lost_new_key(World& world);
void network_change(World& world);
void provider_slower_than_timeout(World& world);
void provider_acts_after_timeout(World& world);
void provider_5xx_before_charge(World& world);
void provider_5xx_after_charge(World& world);
void nonsense_answers(World& world);
void answer_in_progress(World& world);
void bank_restarts_in_the_middle(World& world);

// crashes.cpp: the service dies
void crash_before_call(World& world);
void crash_after_call(World& world);
void crash_before_save(World& world);
void crash_after_save_before_reply(World& world);

// repeats.cpp: the same thing is asked for more than once
void proxy_resends(World& world);
void queue_redelivers(World& world);
void queue_redelivers_while_running(World& world);
void page_silent_a_minute(World& world);
void phone_and_computer(World& world);
void same_key_other_amount(World& world);

// workers.cpp: recovery meets a crash, the buyer, and itself
void worker_dies_after_charge(World& world);
void compensation_and_buyer(World& world);
void two_nodes_one_attempt(World& world);

// notices.cpp: what the bank says by itself
void notice_crash_before_2xx(World& world);
void notice_ten_parallel(World& world);
void notice_before_create_answer(World& world);

// orders.cpp: the order meets another amount, other money, another card
void offline_while_paying(World& world);
void order_amount_changed(World& world);
void decline_then_second_card(World& world);
void late_success_after_decline(World& world);

// changes.cpp: another method, parts, the order's end, take-backs
void method_changed(World& world);
void method_changed_after_unnoticed_success(World& world);
void order_expires_while_charged(World& world);
void order_expires_unpaid(World& world);
void deposit_paid_by_two_devices(World& world);
void price_changed_with_replace(World& world);
void dispute_opened_and_lost(World& world);
void refund_at_the_desk(World& world);

// holds.cpp: money is held first, and captured or given up
void capture_response_lost(World& world);
void captures_at_once(World& world);
void capture_and_void(World& world);
void hold_ends_under_a_capture(World& world);

// refunds.cpp: money goes back, in part, and what goes wrong on its way
void refund_response_lost(World& world);
void refunds_in_parallel(World& world);
void refund_key_replayed(World& world);
void refund_crash_after_call(World& world);

// statements.cpp: what only the provider's statement tells
void statement_alone_tells(World& world);
void refund_told_by_statement(World& world);
void statement_read_twice(World& world);
void surplus_told_three_times(World& world);

}  // namespace payonce::drill
