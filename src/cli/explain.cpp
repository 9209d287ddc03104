// `payonce explain`: the story of one order or payment, for people.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "base/id.h"
#include "cli/commands.h"
#include "cli/existing_store.h"
#include "verify/story.h"

namespace payonce {

namespace {

struct ExplainArguments {
  std::string subject;
  std::string merchant;
  std::string config;
  std::string database;
};

// Every merchant that has orders, by one short look per merchant: from the last possible order of one to the next one.
std::vector<MerchantId> merchants_of(Reader& reader) {
  OrderId const behind_all{"\U0010FFFF"};
  std::vector<MerchantId> merchants;
  OrderKey last;
  for (auto next = reader.orders_after(last, 1); !next.empty(); next = reader.orders_after(last, 1)) {
    merchants.push_back(next.front().head.key.merchant);
    last = {merchants.back(), behind_all};
  }
  return merchants;
}

Result<Order> find_order(Reader& reader, ExplainArguments const& arguments) {
  std::vector<MerchantId> const merchants =
      arguments.merchant.empty() ? merchants_of(reader) : std::vector{MerchantId{arguments.merchant}};
  std::vector<Order> found;
  for (MerchantId const& merchant : merchants)
    if (auto order = reader.find_order({merchant, OrderId{arguments.subject}})) found.push_back(std::move(*order));
  if (found.size() == 1) return std::move(found.front());
  if (found.empty())
    return fail(ErrorCode::not_found,
                fmt::format("there is no order or payment {} in this database", arguments.subject));
  std::vector<std::string> names;
  std::ranges::transform(found, std::back_inserter(names),
                         [](Order const& order) { return order.head.key.merchant.value; });
  return fail(ErrorCode::invalid_request, fmt::format("several merchants have an order {}: name one by --merchant: {}",
                                                      arguments.subject, fmt::join(names, ", ")));
}

int run(ExplainArguments const& arguments) {
  auto const settings = settings_for_reading(arguments.config, arguments.database);
  if (!settings) return complain(settings.error());
  auto const store = open_existing_store(settings->database.url);
  if (!store) return complain(store.error());
  auto const reader = (*store)->open_reader();

  AttemptId payment{arguments.subject};
  std::optional<Order> order;
  if (is_attempt_id(payment.value))
    if (auto const found = reader->find_attempt(payment)) order = reader->find_order(found->key);
  if (!order) {
    auto found = find_order(*reader, arguments);
    if (!found) return complain(found.error());
    order = std::move(*found);
    payment = {};
  }
  std::cout << tell_story(read_books(*reader, std::move(*order)), payment, SystemClock{}.now());
  return 0;
}

}  // namespace

void add_explain(CLI::App& program, Chosen& chosen) {
  auto const arguments = std::make_shared<ExplainArguments>();
  CLI::App* const command = program.add_subcommand("explain", "Tell the story of an order or a payment");
  command->add_option("subject", arguments->subject, "An order's id, or a payment's (pay_…)")->required();
  command->add_option("--merchant", arguments->merchant, "Whose order it is, if several merchants have this id");
  command->add_option("--config", arguments->config, "Configuration file, for its database");
  command->add_option("--database", arguments->database, "Database, e.g. sqlite:shop.db");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace payonce
