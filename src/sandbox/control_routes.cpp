#include "sandbox/control_routes.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/id.h"
#include "base/limits.h"
#include "sandbox/json_reader.h"

namespace payonce::sandbox {

namespace json = boost::json;

namespace {

constexpr std::int64_t delay_ms_max = 3'600'000;  // an hour: longer than any time-out under test
constexpr std::int64_t times_max = 1'000'000;
constexpr std::int64_t copies_max = 100;
constexpr std::int64_t seconds_max = 253'402'300'799;  // the end of the year 9999
constexpr double million = 1'000'000;

std::optional<Millis> read_delay(JsonReader& reader) {
  if (!reader.has("delay_ms")) return std::nullopt;
  return Millis{reader.integer("delay_ms", 0, 0, delay_ms_max)};
}

Result<QueuedFault> read_fault(std::string const& body) {
  auto const object = parse_object(body);
  if (!object) return std::unexpected(object.error());
  JsonReader reader{*object};
  reader.allow_only({"call", "fault", "order", "times", "delay_ms"});
  auto const call = parse_call(reader.required_text("call"));
  auto const fault = parse_fault(reader.required_text("fault"));
  if (!call) reader.complain("call", "must be prepare, create, query, close, refund, query_refund or notice");
  if (!fault) reader.complain("fault", "is not a fault of the sandbox; see its reference for the names");
  QueuedFault queued{.call = call.value_or(Call::create), .fault = fault.value_or(Fault::none)};
  queued.order = reader.text("order");
  queued.times = static_cast<std::uint32_t>(reader.integer("times", 1, 1, times_max));
  queued.delay = read_delay(reader);
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return queued;
}

// The rates of one call: {"drop_after": 0.05, …}.
Result<void> read_call_rates(Call call, json::object const& object, FaultRates& rates) {
  JsonReader reader{object};
  for (auto const& field : object) {
    std::string_view const name{field.key().data(), field.key().size()};
    auto const fault = parse_fault(name);
    if (!fault) reader.complain(name.substr(0, 50), "is not a fault of the sandbox; see its reference for the names");
    double const rate = reader.number(name, 0, 1);
    rates.rates.push_back({call, fault.value_or(Fault::none), static_cast<std::uint32_t>(std::lround(rate * million))});
  }
  return reader.result();
}

Result<FaultRates> read_rates(std::string const& body, std::uint64_t default_seed) {
  auto const object = parse_object(body);
  if (!object) return std::unexpected(object.error());
  JsonReader reader{*object};
  reader.allow_only({"seed", "delay_ms", "prepare", "create", "query", "close", "refund", "query_refund", "capture",
                     "query_capture", "notice"});
  FaultRates rates;
  rates.seed = default_seed;
  if (reader.has("seed"))
    rates.seed = static_cast<std::uint64_t>(reader.integer("seed", 0, 0, std::numeric_limits<std::int64_t>::max()));
  rates.delay = read_delay(reader);
  for (Call const call : calls) {
    json::object const* const of_call = reader.object(to_text(call));
    if (of_call == nullptr) continue;
    if (auto const read = read_call_rates(call, *of_call, rates); !read) return std::unexpected(read.error());
  }
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return rates;
}

json::object rates_json(FaultRates const& rates) {
  json::object body{{"seed", rates.seed}};
  if (rates.delay) body["delay_ms"] = rates.delay->count();
  for (FaultRate const& rate : rates.rates) {
    json::value& of_call = body[to_text(rate.call)];
    if (!of_call.is_object()) of_call.emplace_object();
    of_call.get_object()[to_text(rate.fault)] = rate.per_million / million;
  }
  return body;
}

// A notice by hand: what it says and how it is sent.
struct ManualNotice {
  std::string id;
  NoticeChain chain;  // of one body
  std::int64_t copies = 1;
};

// "charge.succeeded" is about the status "succeeded".
std::string status_in(std::string const& type) { return type.substr(std::min(type.find('.') + 1, type.size())); }

Result<ManualNotice> read_notice(std::string const& text, ControlRoutes::Parts const& parts) {
  auto const object = parse_object(text);
  if (!object) return std::unexpected(object.error());
  JsonReader reader{*object};
  reader.allow_only({"number", "type", "status", "id", "created", "account", "amount", "currency", "charge_id",
                     "refund_number", "wrong_signature", "copies", "body"});
  NoticeFacts facts;
  facts.number = reader.required_text("number");
  facts.type = reader.required_text("type");
  Charge const known = parts.ledger.bank().query(facts.number).charge;
  if (known.id.empty() && !(reader.has("amount") && reader.has("currency")) && !reader.has("body"))
    reader.complain("number", "is not charged here; give amount and currency as well");

  facts.id = reader.text("id", "evt_" + mint_suffix(parts.clock.now(), parts.random));
  std::int64_t const now_s = to_epoch_ms(parts.clock.now()) / 1000;
  facts.created_at = from_epoch_ms(reader.integer("created", now_s, 0, seconds_max) * 1000);
  facts.status = reader.text("status", status_in(facts.type));
  NoticeStyle const& style = parts.styles.of(known.dialect);
  facts.account = reader.text("account", style.account());
  facts.amount_minor = reader.integer("amount", told_minor(known), 0, limits::amount_minor_max);
  facts.currency = reader.text("currency", known.currency);
  facts.charge_id = reader.text("charge_id", known.id.empty() ? "ch_unknown" : known.id);
  facts.refund_number = reader.text("refund_number");
  facts.about = facts.number;

  ManualNotice notice{.id = facts.id, .chain = {}};
  notice.chain.dialect = known.dialect;
  notice.chain.url = style.url(facts);
  notice.chain.wrong_signature = reader.flag("wrong_signature");
  notice.chain.bodies = {reader.text("body", style.body(facts, notice.chain.wrong_signature))};
  notice.copies = reader.integer("copies", 1, 1, copies_max);
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return notice;
}

}  // namespace

void ControlRoutes::handle(HttpRequest const& request, Target const& target, Respond respond) {
  std::string const& what = target.segments.front();
  if (target.segments.size() == 1) {
    std::string_view const method = request.method;
    if (what == "faults" && method == "GET") return respond(faults());
    if (what == "faults" && method == "POST") return respond(add_fault(request.body));
    if (what == "faults" && method == "DELETE") return respond(clear_faults());
    if (what == "rates" && method == "PUT") return respond(set_rates(request.body));
    if (what == "notices" && method == "POST") return send_notice(request.body, std::move(respond));
    if (what == "ledger" && method == "GET")
      return respond(json_response(200, ledger_json(parts_.ledger, target.parameter("order").value_or(""))));
  }
  respond(error_response(404, "not_found", "The sandbox has no such call; see its reference."));
}

HttpResponse ControlRoutes::add_fault(std::string const& body) {
  auto fault = read_fault(body);
  if (!fault) return refusal(fault.error());
  if (auto const added = parts_.faults.add(std::move(*fault)); !added) return refusal(added.error());
  return faults();
}

HttpResponse ControlRoutes::clear_faults() {
  parts_.faults.clear();
  return faults();
}

HttpResponse ControlRoutes::set_rates(std::string const& body) {
  auto rates = read_rates(body, parts_.seed);
  if (!rates) return refusal(rates.error());
  if (auto const set = parts_.faults.set_rates(std::move(*rates)); !set) return refusal(set.error());
  return faults();
}

HttpResponse ControlRoutes::faults() const {
  json::array queued;
  for (QueuedFault const& fault : parts_.faults.queue())
    queued.push_back({{"call", to_text(fault.call)},
                      {"fault", to_text(fault.fault)},
                      {"order", fault.order},
                      {"times", fault.times},
                      {"delay_ms", fault.delay.value_or(default_delay(fault.fault)).count()}});
  return json_response(200, {{"queued", std::move(queued)}, {"rates", rates_json(parts_.faults.rates())}});
}

// One try of each copy, all at once; the answer says what became of them.
void ControlRoutes::send_notice(std::string const& body, Respond respond) {
  auto const notice = read_notice(body, parts_);
  if (!notice) return respond(refusal(notice.error()));
  if (notice->chain.url.empty())
    return respond(error_response(409, "no_notify_url", "Nobody named an address for these notices."));

  struct Progress {
    std::string id;
    std::int64_t open;
    json::array tries;
    Respond respond;
  };
  auto const progress = std::make_shared<Progress>(Progress{notice->id, notice->copies, {}, std::move(respond)});
  for (std::int64_t i = 0; i < notice->copies; ++i)
    parts_.sender.send_once(notice->chain, 0, [progress](HttpAnswer answer) {
      progress->tries.push_back({{"answered", answer.delivery == Delivery::answered}, {"status", answer.status}});
      if (--progress->open == 0)
        progress->respond(json_response(200, {{"id", progress->id}, {"tries", std::move(progress->tries)}}));
    });
}

}  // namespace payonce::sandbox
