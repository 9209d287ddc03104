#include "drill/failure.h"

namespace payonce::drill {

namespace {

using enum AtForgetfulBank;
using namespace std::chrono_literals;

constexpr Failure table[] = {
    {"response-lost-new-key", "bank charges, its answer is lost; buyer comes with a new key", response_lost_new_key},
    {"network-change", "the buyer's connection is cut under the request; asks again", network_change},
    {"provider-slower-than-timeout", "bank charges, answers long after our time-out", provider_slower_than_timeout},
    {"provider-acts-after-timeout", "bank charges only after our time-out", provider_acts_after_timeout},
    {"provider-5xx-before-charge", "bank answers 500 without charging", provider_5xx_before_charge},
    {"provider-5xx-after-charge", "bank charges, answers 500", provider_5xx_after_charge},
    {"nonsense-answers", "bank charges, answers nonsense, then again when asked", nonsense_answers},
    {"answer-in-progress", "bank charges, says it is still working on it", answer_in_progress},
    {"bank-restarts-in-the-middle", "bank charges and dies before it answers", bank_restarts_in_the_middle},
    {"crash-before-call", "kill -9 between the commit and the call", crash_before_call},
    {"crash-after-call", "kill -9 when the bank has charged and not answered", crash_after_call},
    {"crash-before-save", "kill -9 between the bank's answer and saving it", crash_before_save},
    {"crash-after-save-before-reply", "kill -9 between saving and answering the buyer", crash_after_save_before_reply},
    {"proxy-resends", "a proxy sends every request twice at once, then again", proxy_resends},
    {"queue-redelivers", "a queue delivers the same command after its end", queue_redelivers},
    {"queue-redelivers-while-running", "a queue delivers it while the first still runs",
     queue_redelivers_while_running},
    {"worker-dies-after-charge", "kill -9 of recovery when its re-sent request is charged", worker_dies_after_charge,
     not_applicable},
    {"compensation-and-buyer", "recovery and a buyer who keeps pressing, at the same time", compensation_and_buyer},
    {"two-nodes-one-attempt", "two services recover the same ten payments", two_nodes_one_attempt, too, {}, 5'000ms},
    {"notice-crash-before-2xx", "kill -9 between working in a notice and its 2xx", notice_crash_before_2xx},
    {"notice-ten-parallel", "the same notice ten times at once", notice_ten_parallel},
    {"notice-before-create-answer", "the notice overtakes the answer", notice_before_create_answer},
    {"page-silent-a-minute", "no result yet; reload, back, second tab", page_silent_a_minute},
    {"phone-and-computer", "twenty devices pay at once, each with its own key", phone_and_computer},
    {"offline-while-paying", "support books cash while the buyer pays and recovery runs", offline_while_paying},
    {"same-key-other-amount", "the same key comes with another amount", same_key_other_amount},
    {"order-amount-changed", "the shop changes the amount under a live payment", order_amount_changed},
    {"decline-then-second-card", "the first card is declined, the second pays", decline_then_second_card},
    {"late-success-after-decline",
     "a declined card charges after the second card has paid",
     late_success_after_decline,
     not_applicable,
     {.charges = 2, .refunds = 1}},
    {"refund-response-lost",
     "bank refunds, its answer is lost; the clerk clicks again with a new key",
     refund_response_lost,
     too,
     {.refunds = 1}},
    {"refunds-in-parallel",
     "three refunds of half the payment at once, of which two fit",
     refunds_in_parallel,
     too,
     {.refunds = 2}},
    {"refund-key-replayed",
     "the same refund comes four times, then with another amount",
     refund_key_replayed,
     too,
     {.refunds = 1}},
    {"refund-crash-after-call",
     "kill -9 when the bank has refunded and not answered",
     refund_crash_after_call,
     too,
     {.refunds = 1}},
};

}  // namespace

std::span<Failure const> failures() { return table; }

}  // namespace payonce::drill
