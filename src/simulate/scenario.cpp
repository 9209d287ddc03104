#include "simulate/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "engine/cancel.h"
#include "engine/pay.h"
#include "engine/refund.h"
#include "simulate/world.h"

namespace payonce::simulate {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t amount_minor = 1999;
constexpr int orders_max = 10;

// One line: words, and behind the colon what is expected.
struct Step {
  int line;
  std::vector<std::string> words;
  std::string expected;

  std::string const& word(std::size_t index) const {
    static std::string const none;
    return index < words.size() ? words[index] : none;
  }
  std::string rest(std::size_t from) const {
    std::string text;
    for (std::size_t i = from; i < words.size(); ++i) text += (text.empty() ? "" : " ") + words[i];
    return text;
  }
};

std::string trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string{text.substr(first, text.find_last_not_of(' ') - first + 1)};
}

std::vector<Step> read_steps(std::string_view text) {
  std::vector<Step> steps;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    line = line.substr(0, line.find('#'));
    Step step{number, {}, {}};
    if (auto const colon = line.find(':'); colon != std::string_view::npos) {
      step.expected = trimmed(line.substr(colon + 1));
      line = line.substr(0, colon);
    }
    for (std::string left = trimmed(line); !left.empty();) {
      auto const blank = std::min(left.find(' '), left.size());
      step.words.push_back(left.substr(0, blank));
      left = trimmed(std::string_view{left}.substr(blank));
    }
    if (!step.words.empty()) steps.push_back(std::move(step));
  }
  return steps;
}

[[noreturn]] void fail_at(Step const& step, std::string_view why) {
  throw std::runtime_error(fmt::format("line {}: {}", step.line, why));
}

int number_of(Step const& step, std::size_t index) {
  std::string const& word = step.word(index);
  int number = 0;
  if (std::from_chars(word.data(), word.data() + word.size(), number).ec != std::errc{})
    fail_at(step, fmt::format("\"{}\" is not a number", word));
  return number;
}

Millis duration_of(Step const& step, std::size_t index) {
  static std::map<std::string_view, Millis> const units{{"ms", 1ms}, {"s", 1s}, {"min", 1min}, {"h", 1h}};
  std::string const& word = step.word(index);
  std::int64_t count = 0;
  auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  auto const unit = units.find(std::string_view{end, word.data() + word.size()});
  if (error != std::errc{} || unit == units.end()) fail_at(step, fmt::format("\"{}\" is not a time like 30s", word));
  return count * unit->second;
}

// The banks and nodes that the story opens with. Nothing happens by chance.
Plan plan_of(std::vector<Step> const& steps) {
  Plan plan;
  plan.orders = orders_max;
  for (Step const& step : steps) {
    if (step.word(0) == "nodes") plan.nodes = number_of(step, 1);
    if (step.word(0) != "bank") continue;
    std::string const& name = step.word(1);
    plan.banks.push_back({.name = name,
                          .is_idempotent = name == "sure",
                          .close_is_proof = name != "blunt",
                          .sends_notices = step.word(2) != "silent",
                          .key_window = 24h,
                          .request_life = 30s,
                          .attempt_life = 10min,
                          .retry_longest = 30s,
                          .hold_life = 10min});
  }
  if (plan.banks.empty()) throw std::runtime_error("a scenario names a bank: sure, forgetful or blunt");
  return plan;
}

class Story {
 public:
  Story(std::vector<Step> steps, std::string const& folder)
      : steps_(std::move(steps)), world_(plan_of(steps_), folder, true) {}

  ScenarioResult tell() {
    ScenarioResult result;
    try {
      world_.start_nodes();
      for (Step const& step : steps_) perform(step);
      end();
    } catch (std::exception const& error) {
      result.failure = error.what();
    }
    if (auto const& violation = world_.stage().violation())
      result.failure = fmt::format("invariant {} is violated: {}", violation->invariant, violation->fact);
    for (Chronicle::Line const& line : world_.stage().chronicle.lines())
      result.story.push_back(fmt::format("{:10.3f} s  {}", double(line.at.count()) / 1e9, line.text));
    return result;
  }

 private:
  using Act = void (Story::*)(Step const&);

  void perform(Step const& step) {
    static std::map<std::string_view, Act> const acts{
        {"nodes", &Story::nothing},       {"bank", &Story::bank},       {"next", &Story::next},
        {"pass", &Story::pass},           {"pay", &Story::pay},         {"payment", &Story::payment},
        {"cancel", &Story::cancel},       {"close", &Story::close},     {"refund", &Story::refund},
        {"order", &Story::order},         {"charges", &Story::charges}, {"kept", &Story::kept},
        {"delivered", &Story::delivered}, {"buyer", &Story::buyer},     {"node", &Story::node},
        {"power", &Story::power}};
    auto const act = acts.find(step.word(0));
    if (act == acts.end()) fail_at(step, fmt::format("\"{}\" is no step of a scenario", step.word(0)));
    (this->*act->second)(step);
    if (world_.is_over()) fail_at(step, "an invariant is violated");
  }

  void expect(Step const& step, std::string_view actual) {
    if (!step.expected.empty() && step.expected != actual)
      fail_at(step, fmt::format("{}: expected {}, is {}", step.rest(0), step.expected, actual));
  }

  // Asks node 0, or the one named behind "at", and waits for the answer.
  void ask(Step const& step, int order, Judge::Asked asked, std::function<void(Engine&, AnsweredDone)> const& start,
           std::function<std::string(Reply const&)> const& in_words) {
    auto const at = std::ranges::find(step.words, "node");
    int const index = at == step.words.end() ? 0 : number_of(step, std::size_t(at - step.words.begin()) + 1);
    Node& node = *world_.town().nodes.at(static_cast<std::size_t>(index));
    if (!node.is_up()) return expect(step, "no answer");
    auto const said = std::make_shared<std::string>("no answer");
    start(node.engine(), [this, said, order, asked, in_words](Answered const& answer) {
      world_.judge().hear_answer(order, asked, answer);
      *said = answer ? in_words(*answer) : std::string{to_text(answer.error().error.code)};
    });
    for (int i = 0; i < 20'000 && *said == "no answer"; ++i) world_.pass(1ms);
    expect(step, *said);
  }

  static bool has_word(Step const& step, std::string_view word) {
    return std::ranges::find(step.words, word) != step.words.end();
  }

  static std::string attempt_state(Reply const& reply) {
    std::string text{to_text(reply.attempt->state)};
    return reply.attempt->surplus ? text + " surplus" : text;
  }

  OrderKey key_of(int order) const { return {simulated_merchant, OrderId{Stage::order_name(order)}}; }

  void nothing(Step const&) {}
  void bank(Step const& step) {
    if (step.word(2) == "away") world_.send_away(step.word(1), duration_of(step, 3));
  }

  void next(Step const& step) {
    std::string const name = step.rest(1);
    auto const at = std::ranges::find(troubles, name, &TroubleName::name);
    if (at == troubles.end()) fail_at(step, fmt::format("\"{}\" is no trouble", name));
    world_.stage().make_happen(at->trouble);
  }

  void pass(Step const& step) { world_.pass(duration_of(step, 1)); }

  // pay ORDER KEY BANK, with "unwaited" behind it for the first answer there is, "replacing" to take the live one's
  // place
  void pay(Step const& step) {
    int const order = number_of(step, 1);
    std::string const key = step.word(2);
    orders_of_keys_[key] = order;
    world_.stage().at_banks[order].asked_minor = amount_minor;
    PayRequest const request{.key = key_of(order),
                             .idempotency_key = key,
                             .provider = step.word(3),
                             .method = "card",
                             .amount_minor = amount_minor,
                             .currency = "USD",
                             .registers_order = true,
                             .replaces = has_word(step, "replacing"),
                             .wait = has_word(step, "unwaited") ? 0s : 10s};
    ask(
        step, order, {key, "card"},
        [&](Engine& engine, AnsweredDone done) { payonce::pay(engine, request, std::move(done)); }, attempt_state);
  }

  Attempt attempt_of(Step const& step, std::string const& key) {
    auto const order = world_.judge().reader().find_order(key_of(orders_of_keys_[key]));
    if (order)
      for (Attempt const& attempt : order->attempts)
        if (attempt.key == key) return attempt;
    fail_at(step, fmt::format("there is no payment of key {}", key));
  }

  // payment KEY : STATE
  void payment(Step const& step) {
    Attempt const attempt = attempt_of(step, step.word(1));
    expect(step, std::string{to_text(attempt.state)} + (attempt.surplus ? " surplus" : ""));
  }

  // cancel KEY : STATE
  void cancel(Step const& step) {
    CancelAttempt const command{simulated_merchant, attempt_of(step, step.word(1)).id, "ann"};
    ask(
        step, orders_of_keys_[step.word(1)], {},
        [&](Engine& engine, AnsweredDone done) { payonce::cancel(engine, command, 10s, std::move(done)); },
        attempt_state);
  }

  // close ORDER : STATE
  void close(Step const& step) {
    CloseOrder const command{key_of(number_of(step, 1)), "ann"};
    ask(
        step, number_of(step, 1), {},
        [&](Engine& engine, AnsweredDone done) {
          execute_once_free(engine, command, command.actor, 10s, std::move(done));
        },
        [](Reply const& reply) { return std::string{to_text(reply.order->state)}; });
  }

  // refund KEY AMOUNT REFUND_KEY : STATE
  void refund(Step const& step) {
    RefundRequest const request{.merchant = simulated_merchant,
                                .attempt = attempt_of(step, step.word(1)).id,
                                .idempotency_key = step.word(3),
                                .amount_minor = number_of(step, 2),
                                .reason = step.word(3),
                                .actor = "ann",
                                .wait = 10s};
    ask(
        step, orders_of_keys_[step.word(1)], {request.idempotency_key, {}},
        [&](Engine& engine, AnsweredDone done) { refund_payment(engine, request, std::move(done)); },
        [](Reply const& reply) { return std::string{to_text(reply.refund->state)}; });
  }

  // order ORDER : STATE
  void order(Step const& step) {
    auto const found = world_.judge().reader().find_order(key_of(number_of(step, 1)));
    expect(step, found ? to_text(found->head.state) : "none");
  }

  // charges ORDER : COUNT, and kept ORDER : AMOUNT, which is what the banks keep of the buyer's money
  void charges(Step const& step) { expect(step, std::to_string(at_banks(number_of(step, 1)).first)); }
  void kept(Step const& step) { expect(step, std::to_string(at_banks(number_of(step, 1)).second)); }

  std::pair<int, std::int64_t> at_banks(int order) {
    BankLedger ledger;
    for (auto const& [name, bank] : world_.town().banks) bank->write_ledger(ledger);
    std::pair<int, std::int64_t> sums{};
    for (auto const& [number, rows] : ledger.charges) {
      if (Stage::order_of(rows.front().order) != order) continue;
      for (BankCharge const& row : rows) ++sums.first, sums.second += row.amount_minor;
      for (BankRefund const& row : ledger.refunds[number]) sums.second -= row.succeeded ? row.amount_minor : 0;
    }
    return sums;
  }

  // delivered KEY EFFECT : COUNT
  void delivered(Step const& step) {
    std::string const id = attempt_of(step, step.word(1)).id.value + "." + step.word(2);
    auto const& received = world_.shop().received();
    expect(step, std::to_string(received.contains(id) ? received.at(id) : 0));
  }

  // buyer pays KEY, buyer refuses KEY
  void buyer(Step const& step) {
    Attempt const attempt = attempt_of(step, step.word(2));
    world_.town().banks.at(attempt.provider)->buyer_acts(attempt.id.value, step.word(1) == "pays");
  }

  // node N dies, node N starts, node N cut off TIME
  void node(Step const& step) {
    Node& node = *world_.town().nodes.at(static_cast<std::size_t>(number_of(step, 1)));
    if (step.word(2) == "dies") return world_.kill(node);
    if (step.word(2) == "cut") return node.cut_off(world_.stage().agenda.now() + duration_of(step, 4));
    if (!node.is_up()) node.start();
  }

  // power fails
  void power(Step const&) { world_.lose_power(); }

  void end() {
    world_.calm_down();
    std::optional<Unsettled> unsettled;
    for (int looks = 0; looks < 60; ++looks) {
      world_.pass(3min);
      world_.ask_the_banks_by_phone();
      unsettled = world_.unsettled();
      if (unsettled) continue;
      world_.judge().examine();
      return world_.judge().examine_promises();
    }
    throw std::runtime_error("never settles: " + unsettled->what);
  }

  std::vector<Step> const steps_;
  World world_;
  std::map<std::string, int> orders_of_keys_;
};

}  // namespace

ScenarioResult run_scenario(std::string_view text, std::string const& folder) try {
  return Story{read_steps(text), folder}.tell();
} catch (std::exception const& error) {
  return {error.what(), {}};
}

}  // namespace payonce::simulate
