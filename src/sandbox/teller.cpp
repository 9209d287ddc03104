#include "sandbox/teller.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include "sandbox/answer.h"

namespace payonce::sandbox {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t trickle_chunk_bytes = 16;  // an answer is some 500 bytes, so it takes some 30 pieces

// Neither JSON nor text: markup of some proxy, cut, with bytes that are no UTF-8.
constexpr std::string_view nonsense_body = "<html><body>upstream\xff\xfe\x00\xc3\x28 {\"status\":\"succ"sv;

HttpResponse dropped() {
  HttpResponse response;
  response.drop = true;
  return response;
}

// The answer instead of doing anything, if the fault is one of those.
std::optional<HttpResponse> answer_before(Fault fault, HttpResponse (*failure)(int)) {
  if (fault == Fault::drop_before) return dropped();
  if (fault == Fault::answer_500_before) return failure(500);
  if (fault == Fault::answer_503_before) return failure(503);
  return std::nullopt;
}

// The answer after it was done.
HttpResponse distort(HttpResponse response, Injection injection, HttpResponse (*failure)(int)) {
  if (injection.fault == Fault::drop_after) return dropped();
  if (injection.fault == Fault::answer_500_after) return failure(500);
  if (injection.fault == Fault::nonsense) {
    response.status = 200;
    response.body = nonsense_body;
  }
  if (injection.fault == Fault::trickle) {
    response.trickle_chunk_bytes = trickle_chunk_bytes;
    response.trickle_ms_per_chunk = injection.delay;
  }
  return response;
}

}  // namespace

void Teller::start() {
  settle();
  for (NoticeChain& chain : parts_.ledger.take_unfinished_chains()) {
    chain.delay = Millis{0};
    if (!chain.url.empty()) parts_.sender.start(std::move(chain));
  }
}

void Teller::serve(BankCall call, Execute execute, Respond respond) {
  Injection const injection = parts_.faults.draw(call.call, call.order);
  parts_.ledger.add_call(
      {call.call, std::move(call.number), std::move(call.order), injection.fault, parts_.clock.now()});
  if (auto refused = answer_before(injection.fault, call.failure)) return respond(std::move(*refused));
  if (injection.fault != Fault::late_before)
    return perform(std::move(execute), injection, call.failure, std::move(respond));
  after(injection.delay, [this, injection, failure = call.failure, execute = std::move(execute),
                          respond = std::move(respond)]() mutable {
    perform(std::move(execute), injection, failure, std::move(respond));
  });
}

void Teller::serve_person(Execute execute, Respond respond) {
  perform(std::move(execute), {}, bank_failure, std::move(respond));
}

void Teller::perform(Execute execute, Injection injection, Failure failure, Respond respond) {
  settle();
  HttpResponse response = execute(injection);
  std::vector<Outgoing> outgoing = commit();
  arm();
  // Nobody hears of a charge before it is on disk.
  parts_.ledger.when_durable([this, injection, failure, response = std::move(response), respond = std::move(respond),
                              outgoing = std::move(outgoing)]() mutable {
    if (injection.fault == Fault::restart) return parts_.kill_process();
    answer(distort(std::move(response), injection, failure), injection, std::move(respond), std::move(outgoing));
  });
}

// Answers now, after the fault's delay, or when the notices that were to come first have been tried.
void Teller::answer(HttpResponse response, Injection injection, Respond respond, std::vector<Outgoing> outgoing) {
  auto const early = std::ranges::partition(outgoing, [](Outgoing const& o) { return !o.answer_delay; });
  std::vector<Outgoing> first{std::move_iterator{early.begin()}, std::move_iterator{early.end()}};
  outgoing.erase(early.begin(), early.end());

  Millis wait = injection.fault == Fault::late ? injection.delay : Millis{0};
  for (Outgoing const& each : first) wait += *each.answer_delay;
  Task finish = [this, response = std::move(response), respond = std::move(respond),
                 outgoing = std::move(outgoing)]() mutable {
    respond(std::move(response));
    send(std::move(outgoing));
  };
  if (first.empty()) return wait == Millis{0} ? finish() : after(wait, std::move(finish));

  auto const finish_once = std::make_shared<Task>(std::move(finish));
  auto const open = std::make_shared<std::size_t>(first.size());
  for (Outgoing& each : first)
    parts_.sender.start(std::move(each.chain), [this, wait, open, finish_once] {
      if (--*open == 0) after(wait, std::move(*finish_once));
    });
}

// What succeeds or expires by itself.
void Teller::settle() {
  parts_.ledger.bank().settle_due(parts_.clock.now());
  std::vector<Outgoing> outgoing = commit();
  if (!outgoing.empty())
    parts_.ledger.when_durable([this, outgoing = std::move(outgoing)]() mutable { send(std::move(outgoing)); });
  arm();
}

void Teller::arm() {
  auto const due = parts_.ledger.bank().next_due();
  if (!due || (armed_at_ && *armed_at_ <= *due)) return;
  parts_.loop.cancel(timer_);
  armed_at_ = due;
  Millis const delay = std::max(*due - parts_.clock.now(), Millis{0});
  timer_ = parts_.loop.after(delay, [this, alive = std::weak_ptr(alive_)] {
    if (alive.expired()) return;
    armed_at_.reset();
    settle();
  });
}

void Teller::announce(NoticeFacts facts, std::string const& dialect, std::string const& order) {
  std::ranges::move(notices_of(std::move(facts), dialect, order), std::back_inserter(announced_));
}

std::vector<Teller::Outgoing> Teller::commit() {
  std::vector<Outgoing> outgoing = std::exchange(announced_, {});
  for (Change const& change : parts_.ledger.commit()) {
    if (!change.notify) continue;
    std::ranges::move(notices_for(change), std::back_inserter(outgoing));
  }
  return outgoing;
}

std::vector<Teller::Outgoing> Teller::notices_for(Change const& change) {
  Time const now = parts_.clock.now();
  auto const* const charge = std::get_if<Charge>(&change.row);
  auto const* const refund = std::get_if<Refund>(&change.row);
  if (charge == nullptr && refund == nullptr) return {};
  std::string const& order = charge != nullptr ? charge->order : refund->order;
  Charge const& paid = charge != nullptr ? *charge : parts_.ledger.bank().query(refund->charge_number).charge;
  NoticeStyle const& style = parts_.styles.of(paid.dialect);
  NoticeFacts facts = charge != nullptr ? facts_of(*charge, style.account(), now, parts_.random)
                                        : facts_of(*refund, paid, style.account(), now, parts_.random);
  return notices_of(std::move(facts), paid.dialect, order);
}

std::vector<Teller::Outgoing> Teller::notices_of(NoticeFacts facts, std::string const& dialect,
                                                 std::string const& order) {
  NoticeStyle const& style = parts_.styles.of(dialect);
  std::string const url = style.url(facts);
  if (url.empty() || style.body(facts, false).empty()) return {};

  Injection const injection = parts_.faults.draw(Call::notice, order);
  parts_.ledger.add_call({Call::notice, facts.number, order, injection.fault, parts_.clock.now()});
  std::vector<Outgoing> outgoing;
  auto const write = [&](NoticeFacts const& told) {
    return style.body(told, injection.fault == Fault::wrong_signature);
  };
  for (NoticeChain& chain : plan_notice(std::move(facts), injection, parts_.random, write)) {
    chain.dialect = dialect;
    chain.url = url;
    parts_.ledger.add_chain(chain);
    Outgoing each{.chain = std::move(chain), .answer_delay = {}};
    if (injection.fault == Fault::early) each.answer_delay = injection.delay;
    outgoing.push_back(std::move(each));
  }
  return outgoing;
}

void Teller::send(std::vector<Outgoing> outgoing) {
  for (Outgoing& each : outgoing) parts_.sender.start(std::move(each.chain));
}

void Teller::after(Millis delay, Task task) {
  parts_.loop.after(delay, [alive = std::weak_ptr(alive_), task = std::move(task)]() mutable {
    if (!alive.expired()) task();
  });
}

}  // namespace payonce::sandbox
