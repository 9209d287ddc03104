#include "simulate/teller.h"

#include <utility>

#include "simulate/fields.h"

namespace payonce::simulate {

namespace {

using namespace std::chrono_literals;

constexpr Millis call_timeout = 5s;

Answer empty_answer(Outcome outcome, std::string_view code) {
  Answer answer;
  answer.outcome = outcome;
  answer.code = code;
  return answer;
}

BankCall message_of(ProviderCall const& call) {
  BankCall message{.kind = call.kind,
                   .order = Stage::order_of(call.key.order.value),
                   .number = call.attempt.id.value,
                   .request = call.attempt.request};
  if (call.refund) {
    message.part_number = call.refund->id.value;
    message.request = call.refund->request;
  }
  if (call.capture) {
    message.part_number = call.capture->id.value;
    message.request = call.capture->request;
  }
  return message;
}

}  // namespace

class Teller::Line : public std::enable_shared_from_this<Teller::Line> {
 public:
  Line(Stage& stage, Bank& bank, Agenda::Owner node, Ways ways)
      : stage_(stage), bank_(bank), node_(node), ways_(std::move(ways)) {}

  void call(ProviderCall const& call, Done done) {
    ways_.inspect(call);
    BankCall const message = message_of(call);
    int const order = message.order;
    auto const waiting = std::make_shared<Waiting>(std::move(done));
    stage_.tell(order, "a node asks bank {} to {} {}", bank_.plan().name, to_text(call.kind),
                message.part_number.empty() ? message.number : message.part_number);
    if (!ways_.is_open() || stage_.happens(Trouble::call_not_sent, order)) {
      stage_.tell(order, "that call can't be sent");
      return answer_after(stage_.between(1ms, 100ms, order), waiting, empty_answer(Outcome::not_sent, ""));
    }
    answer_after(call_timeout, waiting, empty_answer(Outcome::in_doubt, "timeout"));
    if (stage_.happens(Trouble::call_lost, order)) return stage_.tell(order, "that call is lost");
    // A call may arrive as late as the bank's request_life says, long after we stopped waiting.
    bool const is_late = stage_.happens(Trouble::call_late, order);
    arrive_after(
        is_late ? stage_.between(1s, bank_.plan().request_life - 1s, order) : stage_.between(1ms, 200ms, order),
        message, waiting);
    bool const is_harmless = call.kind != CallKind::create || bank_.plan().is_idempotent;
    if (is_harmless && stage_.happens(Trouble::call_twice, order))
      arrive_after(stage_.between(1ms, 3s, order), message, waiting);
  }

 private:
  // The call as the one who waits for its answer sees it; only the first answer counts.
  struct Waiting {
    Done done;
    bool is_over = false;
  };
  using WaitingPtr = std::shared_ptr<Waiting>;

  void arrive_after(Millis delay, BankCall const& message, WaitingPtr const& waiting) {
    stage_.after(delay, [self = shared_from_this(), message, waiting] { self->arrive(message, waiting); });
  }

  void arrive(BankCall const& message, WaitingPtr const& waiting) {
    int const order = message.order;
    Answer answer = bank_.perform(message);
    if (stage_.happens(Trouble::call_answer_lost, order)) return stage_.tell(order, "the bank's answer is lost");
    if (stage_.happens(Trouble::bank_error, order)) answer = empty_answer(Outcome::in_doubt, "500");
    answer_after(stage_.between(1ms, 200ms, order), waiting, std::move(answer));
  }

  void answer_after(Millis delay, WaitingPtr const& waiting, Answer answer) {
    stage_.agenda.at(stage_.agenda.now() + delay, node_, [waiting, answer = std::move(answer)]() mutable {
      if (!std::exchange(waiting->is_over, true)) waiting->done(std::move(answer));
    });
  }

  Stage& stage_;
  Bank& bank_;
  Agenda::Owner const node_;
  Ways const ways_;
};

Teller::Teller(Stage& stage, Bank& bank, Agenda::Owner node, Ways ways)
    : line_(std::make_shared<Line>(stage, bank, node, std::move(ways))) {
  BankPlan const& plan = bank.plan();
  terms_ = {.name = plan.name,
            .create_is_idempotent = plan.is_idempotent,
            .key_window = plan.key_window,
            .request_life = plan.request_life,
            .call_timeout = call_timeout,
            .close_is_proof = plan.close_is_proof,
            .expiry_is_proof = plan.expiry_is_proof,
            .attempt_life = plan.attempt_life,
            .captures_max = plan.close_is_proof ? 3 : 0,
            .hold_life = plan.hold_life,
            .retry_first = 1s,
            .retry_longest = plan.retry_longest,
            .unknown_alarm_after = 2min,
            .write_create = write_simulated_create,
            .write_refund = write_simulated_refund,
            .write_capture = write_simulated_capture};
}

Teller::~Teller() = default;

void Teller::call(ProviderCall const& call, Done done) { line_->call(call, std::move(done)); }

Result<Notice> Teller::read_notice(HttpRequest const& request, Time) const {
  Fields const fields{request.body};
  auto const outcome = parse_outcome(fields.text(3));
  if (!outcome) return fail(ErrorCode::invalid_request, "no outcome in this notice");
  Notice notice{.event_id = std::string{fields.text(0)},
                .number = std::string{fields.text(1)},
                .refund_number = std::string{fields.text(2)},
                .answer = empty_answer(*outcome, "notice")};
  notice.answer.text = "as the bank's notice says";
  if (*outcome == Outcome::succeeded || *outcome == Outcome::authorized)
    notice.answer.amount = Money{fields.integer(4), Currency::of("USD")};
  return notice;
}

HttpResponse Teller::acknowledge(bool is_safe) const {
  HttpResponse response;
  response.status = is_safe ? 200 : 503;
  return response;
}

std::string write_notice(BankNotice const& notice) {
  return fmt::format("{}|{}|{}|{}|{}", notice.event_id, notice.number, notice.refund_number, to_text(notice.outcome),
                     notice.amount_minor);
}

}  // namespace payonce::simulate
