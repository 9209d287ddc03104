#include "verify/bank_ledger.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <optional>
#include <utility>

#include "net/asio_loop.h"
#include "net/http_client.h"

namespace payonce {

namespace {

namespace json = boost::json;

constexpr std::size_t ledger_bytes_max = std::size_t{1} << 30;  // some million charges

std::string text_of(json::object const& row, std::string_view name) {
  return json::value_to<std::string>(row.at(name));
}
bool succeeded(json::object const& row) { return row.at("status").as_string() == "succeeded"; }

}  // namespace

Result<BankLedger> parse_ledger(std::string_view text, Time read_at) {
  BankLedger ledger{read_at, {}, {}};
  try {
    json::value const document = json::parse(text);
    for (json::value const& value : document.at("charges").as_array()) {
      json::object const& row = value.as_object();
      std::int64_t const taken = row.at("captured").as_int64();
      ledger.charges[text_of(row, "number")].push_back(
          {text_of(row, "order"), row.at("amount").as_int64(), text_of(row, "currency"), taken > 0, taken});
    }
    for (json::value const& value : document.at("refunds").as_array()) {
      json::object const& row = value.as_object();
      ledger.refunds[text_of(row, "charge_number")].push_back({text_of(row, "number"), row.at("amount").as_int64(),
                                                               text_of(row, "currency"), succeeded(row),
                                                               text_of(row, "id")});
    }
  } catch (std::exception const& error) {
    return fail(ErrorCode::invalid_json, fmt::format("this is no ledger of the sandbox bank: {}", error.what()));
  }
  return ledger;
}

Result<BankLedger> fetch_ledger(AsioLoop& loop, std::string const& address, Time now) {
  CurlHttpClient client{loop};
  HttpCall call;
  call.url = address + "/ledger";
  call.idempotent = true;
  call.answer_bytes_max = ledger_bytes_max;
  call.total_timeout = Millis{60'000};
  HttpAnswer answer;
  client.send(std::move(call), [&](HttpAnswer arrived) {
    answer = std::move(arrived);
    loop.stop();
  });
  loop.run();
  if (answer.delivery != Delivery::answered)
    return fail(ErrorCode::unavailable,
                fmt::format("the sandbox bank at {} can't be asked: {}; is it running?", address, answer.error));
  if (answer.status != 200)
    return fail(ErrorCode::unavailable,
                fmt::format("{}/ledger answers {}; is this the address of the sandbox bank?", address, answer.status));
  return parse_ledger(answer.body, now);
}

}  // namespace payonce
