#include "simulate/postman.h"

#include <algorithm>
#include <utility>

#include "engine/receive_notice.h"
#include "simulate/teller.h"

namespace payonce::simulate {

namespace {

using namespace std::chrono_literals;

constexpr Millis retry_longest = 60s;

}  // namespace

void Postman::take(BankNotice notice) {
  auto const letter = std::make_shared<Letter>(Letter{std::move(notice)});
  letters_.push_back(letter);
  ++waiting_for_;
  try_once(letter);
}

void Postman::try_once(LetterPtr const& letter) {
  if (letter->is_safe) return;
  Stage& stage = town_.stage;
  int const order = letter->notice.order;
  bool const is_lost = stage.happens(Trouble::notice_lost, order);
  bool const is_late = stage.happens(Trouble::notice_late, order);
  if (!is_lost) arrive(letter, is_late ? stage.between(1s, 60s, order) : stage.between(1ms, 300ms, order));
  if (stage.happens(Trouble::notice_twice, order)) arrive(letter, stage.between(1ms, 5s, order));
  Millis const wait = std::min<Millis>(retry_longest, 2s * (1 << std::min(letter->tries++, 5)));
  stage.after(wait, [this, letter] { try_once(letter); });
}

void Postman::arrive(LetterPtr const& letter, Millis delay) {
  int const order = letter->notice.order;
  Node& node = town_.some_node(order);
  town_.stage.after(delay, [this, letter, &node, order] {
    if (!node.is_up()) return;
    BankNotice const& notice = letter->notice;
    town_.stage.tell(order, "node {} gets notice {}: {} {}", node.index(), notice.event_id,
                     notice.refund_number.empty() ? notice.number : notice.refund_number, to_text(notice.outcome));
    HttpRequest request;
    request.method = "POST";
    request.body = write_notice(notice);
    receive_notice(node.engine(), notice.bank, request, [this, letter](HttpResponse const& response) {
      if (response.status == 200) town_.judge.hear_notice_taken(letter->notice);
      if (response.status != 200 || town_.stage.happens(Trouble::answer_lost, letter->notice.order)) return;
      if (std::exchange(letter->is_safe, true)) return;
      --waiting_for_;
      town_.banks.at(letter->notice.bank)->is_understood(letter->notice);
    });
  });
}

void Postman::repeat_everything() {
  for (LetterPtr const& letter : letters_) arrive(letter, 1ms);
}

}  // namespace payonce::simulate
