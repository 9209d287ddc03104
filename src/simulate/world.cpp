#include "simulate/world.h"

#include <utility>

namespace payonce::simulate {

World::Quiet::Quiet() : level(log_level()) { set_log_level(LogLevel::off); }
World::Quiet::~Quiet() { set_log_level(level); }

World::World(Plan const& plan, std::string const& folder, bool keeps_story) : stage_(plan, keeps_story), disk_(folder) {
  for (BankPlan const& bank : stage_.plan.banks)
    banks_.emplace(bank.name, std::make_unique<Bank>(stage_, bank,
                                                     [this](BankNotice notice) { postman_.take(std::move(notice)); }));
  auto const is_bank_there = [this](std::string const& bank) { return stage_.agenda.now() >= away_until_[bank]; };
  auto const inspect_call = [this](ProviderCall const& call, Time now) { judge_.inspect_call(call, now); };
  Node::Surroundings const surroundings{stage_, disk_, banks_, shop_, is_bank_there, inspect_call};
  subscriber_.follow();
  for (int i = 0; i < plan.nodes; ++i) nodes_.push_back(std::make_unique<Node>(surroundings, i));
}

void World::start_nodes() {
  for (auto const& node : nodes_)
    if (!node->is_up()) node->start();
}

void World::pass(Millis time) {
  Agenda::Moment const end = stage_.agenda.now() + time;
  while (!is_over() && stage_.agenda.step(end)) continue;
}

void World::kill(Node& node) {
  if (node.is_up()) node.die();
}

void World::lose_power() {
  stage_.tell(Chronicle::everyone, "the power fails");
  disk_.lose_power(stage_.chance);
  for (auto const& node : nodes_) kill(*node);
  judge_.open_books_again();
}

void World::calm_down() {
  stage_.tell(Chronicle::everyone, "from here on nothing fails any more");
  stage_.calm_down();
  away_until_.clear();
  stage_.agenda.thaw();
  start_nodes();
}

void World::ask_the_banks_by_phone() {
  for (FoundAttempt const& found : judge_.reader().attempts_in_review(simulated_merchant, 1'000)) {
    Attempt const& attempt = found.attempt;
    Bank const& bank = *banks_.at(attempt.provider);
    if (bank.plan().close_is_proof || bank.knows(attempt.id.value) || !is_watched(attempt.state)) continue;
    RecordOutcome command{found.key, attempt.id, Evidence::operator_, {}, "ann", std::nullopt};
    command.answer.outcome = Outcome::declined;
    command.answer.code = "by_phone";
    nodes_.front()->engine().execute(std::move(command), [](Answered const&) {});
  }
}

std::optional<Unsettled> World::unsettled() {
  if (auto const gap = subscriber_.what_it_missed(judge_.reader())) stage_.accuse(9, Chronicle::everyone, *gap);
  if (postman_.is_waiting()) return Unsettled{Chronicle::everyone, "a notice is not taken"};
  for (auto const& [name, bank] : banks_)
    if (bank->is_late()) return Unsettled{Chronicle::everyone, "a bank is about to charge what it declined"};
  for (auto const& [name, bank] : banks_)
    if (bank->has_open_disputes()) return Unsettled{Chronicle::everyone, "a dispute is not decided"};
  return judge_.unsettled();
}

}  // namespace payonce::simulate
