#include "drill/bank.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "drill/config.h"
#include "drill/patience.h"
#include "process/own_server.h"

namespace payonce::drill {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

std::string port_of(std::string const& url) { return url.substr(url.rfind(':') + 1); }

std::string text_of(json::value const& row, std::string_view name) {
  return std::string{row.as_object().at(name).as_string()};
}

}  // namespace

int Ledger::calls_of(std::string const& kind) const {
  auto const found = calls.find(kind);
  return found == calls.end() ? 0 : found->second;
}

void Bank::start() {
  launch("0");
  expect(process_.has_value(), "the bank starts");
}

void Bank::restart() {
  std::string const port = port_of(url_);
  // Its port may be lent to an outgoing connection for a moment.
  wait_for("the bank is back", [&] {
    launch(port);
    return process_.has_value();
  });
}

void Bank::launch(std::string const& port) {
  std::vector<std::string> arguments{
      "sandbox",           "--port",          port,         "--data", options_.folder + "/bank.journal", "--notify",
      options_.notify_url, "--notice-secret", notice_secret};
  if (!options_.keys.empty())
    for (std::string const& argument :
         {std::string{"--keys"}, options_.keys, std::string{"--buyers-pay"}, std::string{"--notify-stripe"},
          options_.notify_url, std::string{"--notify-paypal"}, options_.notify_url})
      arguments.push_back(argument);
  if (options_.is_forgetful) arguments.emplace_back("--forgetful");
  process_.reset();
  auto started = start_own_server(std::move(arguments), {.log_file = options_.folder + "/bank.log"});
  if (!started) return;
  url_ = std::move(started->url);
  process_ = std::move(started->process);
}

void Bank::wait_until_dead() {
  wait_for("the bank dies", [&] { return !process_->is_running(); });
}

void Bank::hit(std::string_view call, std::string_view fault, std::string const& order, int times,
               std::optional<Millis> delay) {
  json::object body{{"call", call}, {"fault", fault}, {"times", times}};
  if (order != any_order) body["order"] = order;
  if (delay) body["delay_ms"] = delay->count();
  HttpAnswer const answer = backstage_.call({.method = "POST", .url = url_ + "/faults", .body = json::serialize(body)});
  expect(answer.status / 100 == 2, fmt::format("the bank takes the fault {}: {}", fault, answer.body));
}

Ledger Bank::ledger(std::string const& order) const {
  HttpAnswer const answer = backstage_.call({.url = url_ + (order == any_order ? "/ledger" : "/ledger?order=" + order),
                                             .idempotent = true,
                                             .answer_bytes_max = std::size_t{16} << 20});
  expect(answer.delivery == Delivery::answered && answer.status == 200, "the bank shows its ledger");
  json::value const body = json::parse(answer.body);
  Ledger ledger;
  for (json::value const& row : body.at("charges").as_array()) {
    ledger.charges.push_back({text_of(row, "number"), text_of(row, "status")});
    ledger.charged += ledger.charges.back().status == "succeeded";
    ledger.charged_minor += row.at("captured").as_int64();
  }
  for (json::value const& row : body.at("refunds").as_array()) ledger.refunded += text_of(row, "status") == "succeeded";
  for (json::value const& row : body.at("calls").as_array()) ++ledger.calls[text_of(row, "call")];
  return ledger;
}

void Bank::refund_at_the_desk(std::string const& refund_number, std::string const& charge_number,
                              std::int64_t amount) const {
  json::object const body{{"number", refund_number},
                          {"charge_number", charge_number},
                          {"amount", amount},
                          {"currency", "CNY"},
                          {"reason", "asked for at the desk"}};
  HttpAnswer const answer =
      backstage_.call({.method = "POST", .url = url_ + "/v1/refunds", .body = json::serialize(body)});
  expect(answer.status == 200, fmt::format("the bank refunds at its desk: {}", answer.body));
}

void Bank::send_notice(std::string const& number, std::string_view status) const {
  json::object const body{{"number", number}, {"type", fmt::format("charge.{}", status)}};
  HttpAnswer const answer =
      backstage_.call({.method = "POST", .url = url_ + "/notices", .body = json::serialize(body)});
  expect(answer.status / 100 == 2, fmt::format("the bank sends a notice by hand: {}", answer.body));
}

}  // namespace payonce::drill
