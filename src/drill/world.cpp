#include "drill/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <ranges>
#include <set>

#include "drill/config.h"
#include "drill/patience.h"
#include "payment/state.h"

namespace payonce::drill {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr char const* effect_secret = "drill-effect-secret-0123456789ab";

// Runs one of our own commands to its end.
struct Finished {
  int status;
  std::string output;
};
Finished run(std::vector<std::string> arguments, std::string const& log_path) {
  arguments.insert(arguments.begin(), own_program());
  std::string const command = arguments[1];
  auto started = ChildProcess::start(std::move(arguments), {.log_file = log_path});
  expect(started.has_value(), fmt::format("payonce {} can be started", command));
  Finished finished{0, {}};
  while (auto const line = started->wait_for_line("", 20s)) finished.output += *line + '\n';
  auto const status = started->wait(20s);
  expect(status.has_value(), fmt::format("payonce {} ends", command));
  finished.status = *status;
  return finished;
}

bool all_of_array(json::value const& object, std::string_view name, auto const& predicate) {
  return std::ranges::all_of(object.at(name).as_array(), predicate);
}

bool has_text(json::value const& object, std::string_view name, std::string_view text) {
  return object.at(name).as_string() == text;
}

}  // namespace

World::World(WorldOptions options)
    : options_(std::move(options)),
      shop(effect_secret),
      customer(backstage, options_.channel.method, [this](int turn) { return url_for(turn); }) {}

// Alternately, as a load balancer does. One that is gone gets nothing.
std::string World::url_for(int turn) {
  bool const is_second_up = second_node && second_node->is_running();
  bool const is_first_up = node->is_running();
  if (is_armed_ || !is_second_up) return node->url();
  return turn % 2 == 1 || !is_first_up ? second_node->url() : node->url();
}

// A notice comes to another node than the one that pays, if there is one.
void World::point_notices() { notices.point_at(second_node && !is_armed_ ? second_node->url() : node->url()); }

std::string World::config_path() const { return options_.folder + "/payonce.toml"; }

void World::write_config(std::string const& shop_url, std::string const& notices_url) const {
  std::ofstream file{config_path()};
  file << config_text({.channel = options_.channel,
                       .database = options_.database,
                       .bank_url = bank->url(),
                       .keys = fmt::format("{}/{}", options_.keys, options_.channel.kind),
                       .notices_url = notices_url,
                       .shop_url = shop_url,
                       .effect_secret = shop.secret_text(),
                       .is_forgetful = options_.is_forgetful,
                       .call_timeout = options_.call_timeout});
  file.close();
  expect(file.good(), "the configuration can be written");
}

std::string World::create_api_key() const {
  Finished const created =
      run({"key", "create", "--merchant", "drill", "--database", options_.database}, options_.folder + "/key.log");
  expect(created.status == 0, "an API key can be created");
  return created.output.substr(0, created.output.find('\n'));
}

void World::open() {
  auto const shop_url = backstage.listen(shop.handler());
  auto const notices_url = backstage.listen(notices.handler());
  expect(shop_url && notices_url, "the drill can listen on two ports");
  std::string const notify_url = fmt::format("{}/v1/notices/{}", *notices_url, options_.channel.kind);
  bank.emplace(backstage, BankOptions{.folder = options_.folder,
                                      .notify_url = notify_url,
                                      .keys = options_.channel.has_keys ? options_.keys : std::string{},
                                      .is_forgetful = options_.is_forgetful});
  bank->start();
  write_config(*shop_url, notify_url);
  customer.use_key(create_api_key());
  node.emplace(config_path(), options_.folder + "/serve.log");
  revive();
  if (options_.nodes > 1) start_second_node();
  expect(customer.register_order(order).status == 201, "the order can be registered");
}

void World::rearm(std::string const& crash_at) {
  node->stop();
  node->start(crash_at);
  is_armed_ = true;
  point_notices();
}

void World::revive() {
  node->start();
  is_armed_ = false;
  point_notices();
}

void World::start_second_node() {
  if (second_node) return;
  second_node.emplace(config_path(), options_.folder + "/serve-2.log");
  second_node->start();
  if (options_.nodes > 1) point_notices();
}

void World::keep_in_the_dark(Darkness const& darkness) {
  std::string_view const call = darkness.at_first_call ? channel().first_call : "create";
  bank->hit("notice", "never", order, 20);
  bank->hit(call, darkness.fault, order, 1, darkness.delay);
  if (channel().repeats(call)) bank->hit(call, "drop_before", order, darkness.questions);
  bank->hit("query", "drop_before", any_order, darkness.questions);
}

void World::expect_asked_once(std::string const& call) const {
  if (channel().repeats(call)) return;
  int const times = bank->ledger(order).calls_of(call);
  expect(times == 1, fmt::format("the bank was asked for one {}, not {}", call, times));
}

std::string World::reconcile() const {
  Time const there = SystemClock{}.now() + std::chrono::hours{channel().hours_ahead};
  std::set<std::string> days;
  for (Time const time : {there - 10min, there}) days.insert(to_rfc3339(time).substr(0, 10));
  std::string said;
  for (std::string const& day : days) {
    Finished const done =
        run({"reconcile", "--config", config_path(), "--provider", std::string{channel().kind}, "--day", day},
            options_.folder + "/reconcile.log");
    expect(done.status == 0 || done.status == 2, "the statement can be reconciled");
    said += done.output;
  }
  return said;
}

std::string World::ledger(std::string const& order_id) const {
  Finished const done =
      run({"ledger", "--order", order_id, "--config", config_path()}, options_.folder + "/ledger.log");
  expect(done.status == 0, "the books can be printed");
  return done.output;
}

OrderOutcome World::settle(std::string const& order_id) {
  OrderOutcome outcome;
  wait_for(fmt::format("nothing of {} moves any more", order_id), [&] {
    Told const told = customer.look_at_order(order_id);
    if (told.status != 200) return false;
    outcome.order_state = told.state();
    outcome.effects = static_cast<int>(shop.effects_of(order_id).size());
    bool const is_quiet =
        all_of_array(told.json, "payments", [](auto const& payment) { return payment.at("settled").as_bool(); }) &&
        all_of_array(told.json, "captures", [](auto const& capture) { return capture.at("settled").as_bool(); }) &&
        all_of_array(told.json, "refunds",
                     [](auto const& refund) { return has_text(refund, "state", to_text(RefundState::succeeded)); }) &&
        all_of_array(told.json, "effects", [](auto const& effect) { return has_text(effect, "state", "DELIVERED"); });
    return is_quiet && outcome.effects >= static_cast<int>(told.json.at("effects").as_array().size());
  });
  Ledger const ledger = bank->ledger(order_id);
  outcome.charges = ledger.charged;
  outcome.refunds = ledger.refunded;
  return outcome;
}

void World::close(bool may_charge_after_decline) {
  for (std::string const& error : customer.server_errors()) expect(false, "no 5xx; there was " + error);
  for (std::string const& complaint : shop.complaints()) expect(false, complaint);
  // Money that moved is never called a failure.
  for (Ledger::Charge const& charge : bank->ledger(any_order).charges)
    expect(charge.status != "succeeded" || may_charge_after_decline ||
               !customer.told_without_charge().contains(charge.number),
           fmt::format("payment {} was called failed although the bank charged it", charge.number));
  node->stop();
  if (second_node) second_node->stop();
  run_verify();
}

void World::run_verify() const {
  Finished const verified =
      run({"verify", "--config", config_path(), "--sandbox", bank->url()}, options_.folder + "/verify.log");
  if (verified.status == 0) return;
  std::string findings;
  for (auto const line : std::views::split(verified.output, '\n')) {
    std::string_view const text{line.begin(), line.end()};
    if (!text.ends_with(" holds")) findings += "\n    " + std::string{text};
  }
  throw ScenarioFailed{fmt::format("payonce verify ended with status {}:{}", verified.status, findings)};
}

}  // namespace payonce::drill
