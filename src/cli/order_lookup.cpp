#include "cli/order_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/id.h"

namespace payonce {

namespace {

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

}  // namespace

Result<NamedOrder> find_named_order(Reader& reader, std::string const& subject, std::string const& merchant) {
  AttemptId const payment{subject};
  if (is_attempt_id(subject))
    if (auto const found = reader.find_attempt(payment))
      if (auto order = reader.find_order(found->key)) return NamedOrder{std::move(*order), payment};

  std::vector<MerchantId> const merchants = merchant.empty() ? merchants_of(reader) : std::vector{MerchantId{merchant}};
  std::vector<Order> found;
  for (MerchantId const& it : merchants)
    if (auto order = reader.find_order({it, OrderId{subject}})) found.push_back(std::move(*order));
  if (found.size() == 1) return NamedOrder{std::move(found.front())};
  if (found.empty())
    return fail(ErrorCode::not_found, fmt::format("there is no order or payment {} in this database", subject));
  std::vector<std::string> names;
  std::ranges::transform(found, std::back_inserter(names),
                         [](Order const& order) { return order.head.key.merchant.value; });
  return fail(ErrorCode::invalid_request, fmt::format("several merchants have an order {}: name one by --merchant: {}",
                                                      subject, fmt::join(names, ", ")));
}

}  // namespace payonce
