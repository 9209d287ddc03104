#include "simulate/node.h"

#include <stdexcept>
#include <utility>

#include "simulate/teller.h"
#include "store/sqlite/sqlite_store.h"

namespace payonce::simulate {

namespace {

using namespace std::chrono_literals;

// Their schema is there: the judge was first.
std::unique_ptr<Store> open_books(std::string const& path) {
  auto opened = open_sqlite(path, Checkpoints::by_writer);
  if (!opened) throw std::runtime_error(opened.error().detail);
  return std::move(*opened);
}

}  // namespace

std::vector<Merchant> simulated_merchants(Plan const& plan) {
  Merchant merchant{.id = simulated_merchant, .providers = {}, .effects = {}};
  for (BankPlan const& bank : plan.banks) merchant.providers.push_back(bank.name);
  if (plan.releases) merchant.switch_mode = SwitchMode::release;
  auto const add = [&](std::string_view name, Trigger on) {
    merchant.effects.push_back({std::string{name}, "https://shop.example/" + std::string{name}, {"secret"}, 5s, on});
  };
  add("ship", Trigger::order_paid);
  add("points", Trigger::payment_succeeded);
  add("surplus", Trigger::payment_surplus);
  add("returned", Trigger::refund_succeeded);
  add("not_returned", Trigger::refund_failed);
  return {merchant};
}

// In the order in which they are built; torn down in the reverse one.
struct Node::Parts {
  Parts(Surroundings const& world, Node& node, std::uint64_t seed)
      : loop(world.stage, node.process_),
        random(seed),
        merchants(simulated_merchants(world.stage.plan)),
        store(world.stage, world.disk, open_books(books_path(world.disk))),
        shop_line(world.stage, world.shop, node.process_),
        providers(make_providers(world, node)),
        terms(merchants, providers),
        reads(store, loop, &loop),
        committer(store, terms, node.clock_, loop, &loop),
        engine({loop, node.clock_, random, committer, reads, providers, metrics, fault_points}),
        workers(engine, shop_line, merchants, merchants) {}

  static Providers make_providers(Surroundings const& world, Node& node) {
    Providers providers;
    for (auto const& [name, bank] : world.banks) {
      auto is_open = [&world, &node, &name = name] {
        bool const is_cut_off = world.stage.agenda.now() < node.cut_off_until_ && !world.stage.is_calm();
        return !is_cut_off && world.is_bank_there(name);
      };
      auto inspect = [&world, &node](ProviderCall const& call) { world.inspect_call(call, node.clock_.now()); };
      providers.add(std::make_unique<Teller>(world.stage, *bank, node.process_,
                                             Teller::Ways{std::move(is_open), std::move(inspect)}));
    }
    return providers;
  }

  NodeLoop loop;
  SeededRandom random;
  std::vector<Merchant> const merchants;
  FaultPoints const fault_points;
  Metrics metrics;
  ShakyStore store;
  ShopLine shop_line;
  Providers providers;
  ConfiguredTerms terms;
  ReadLane reads;
  Committer committer;
  Engine engine;
  Workers workers;
};

Node::Node(Surroundings surroundings, int index)
    : surroundings_(std::move(surroundings)), index_(index), clock_(surroundings_.stage) {}

Node::~Node() {
  if (is_up()) die();
}

void Node::start() {
  // Processes are numbered so that no two are the same in one world.
  process_ = static_cast<Agenda::Owner>(1 + index_ + 1000 * ++starts_);
  surroundings_.disk.run_as(process_);
  parts_ = std::make_unique<Parts>(surroundings_, *this, surroundings_.stage.chance.next());
  surroundings_.stage.tell(Chronicle::everyone, "node {} starts", index_);
  parts_->workers.start();
}

void Node::die() {
  surroundings_.stage.tell(Chronicle::everyone, "node {} dies", index_);
  surroundings_.disk.kill(process_);
  surroundings_.stage.agenda.drop(process_);
  parts_.reset();
}

Engine& Node::engine() { return parts_->engine; }

void Node::freeze(Agenda::Moment until) {
  if (!is_up()) return;
  surroundings_.stage.tell(Chronicle::everyone, "node {} stands still", index_);
  surroundings_.stage.agenda.freeze(process_, until);
}

void Node::slow_down(Agenda::Moment until, Millis most) {
  if (is_up()) parts_->loop.slow_down(until, most);
}

}  // namespace payonce::simulate
