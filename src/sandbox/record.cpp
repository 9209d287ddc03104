#include "sandbox/record.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/limits.h"
#include "sandbox/json_reader.h"

namespace payonce::sandbox {

namespace json = boost::json;

namespace {

constexpr int journal_version = 1;

json::value optional_ms(std::optional<Time> time) { return time ? json::value(to_epoch_ms(*time)) : json::value(); }

json::object write(JournalHead const&) { return {{"row", "sandbox_journal"}, {"version", journal_version}}; }

json::object write(Charge const& charge) {
  return {{"row", "charge"},
          {"id", charge.id},
          {"number", charge.number},
          {"order", charge.order},
          {"amount", charge.amount_minor},
          {"currency", charge.currency},
          {"method", charge.method},
          {"dialect", charge.dialect},
          {"expires_at", optional_ms(charge.expires_at)},
          {"status", to_text(charge.state)},
          {"code", charge.code},
          {"created_at", to_epoch_ms(charge.created_at)},
          {"succeeds_at", optional_ms(charge.succeeds_at)},
          {"hold_until", optional_ms(charge.hold_until)},
          {"captured", charge.captured_minor}};
}

json::object write(Capture const& capture) {
  return {{"row", "capture"},
          {"id", capture.id},
          {"number", capture.number},
          {"charge_number", capture.charge_number},
          {"order", capture.order},
          {"amount", capture.amount_minor},
          {"currency", capture.currency},
          {"final", capture.is_final},
          {"status", to_text(capture.state)},
          {"code", capture.code},
          {"created_at", to_epoch_ms(capture.created_at)}};
}

json::object write(Refund const& refund) {
  return {{"row", "refund"},
          {"id", refund.id},
          {"number", refund.number},
          {"charge_number", refund.charge_number},
          {"order", refund.order},
          {"amount", refund.amount_minor},
          {"currency", refund.currency},
          {"reason", refund.reason},
          {"status", to_text(refund.state)},
          {"code", refund.code},
          {"created_at", to_epoch_ms(refund.created_at)}};
}

json::object write(BarredNumber const& barred) { return {{"row", "barred"}, {"number", barred.number}}; }

json::object write(CallRecord const& call) {
  return {{"row", "call"},       {"call", to_text(call.call)},   {"number", call.number},
          {"order", call.order}, {"fault", to_text(call.fault)}, {"at", to_epoch_ms(call.at)}};
}

json::object write(NoticeChain const& chain) {
  return {{"row", "notice"},
          {"id", chain.id},
          {"dialect", chain.dialect},
          {"url", chain.url},
          {"bodies", json::array(chain.bodies.begin(), chain.bodies.end())},
          {"delay_ms", chain.delay.count()},
          {"wrong_signature", chain.wrong_signature}};
}

json::object write(Memo const& memo) {
  return {{"row", "memo"}, {"collection", memo.collection}, {"key", memo.key}, {"value", memo.value}};
}

json::object write(NoticeEnded const& ended) { return {{"row", "notice_ended"}, {"id", ended.id}}; }

// The value behind a text from a closed list; a complaint otherwise.
template <class Value>
Value one_of(JsonReader& reader, std::string_view name, std::optional<Value> (*parse)(std::string_view)) {
  auto const value = parse(reader.text(name));
  if (!value) reader.complain(name, "has a value this version does not know");
  return value.value_or(Value{});
}

std::int64_t amount(JsonReader& reader) { return reader.required_integer("amount", 1, limits::amount_minor_max); }

Record read_head(JsonReader& reader) {
  if (reader.integer("version", 0, 0, 1'000'000) != journal_version)
    reader.complain("version", fmt::format("must be {}; another version of payonce wrote this file", journal_version));
  return JournalHead{};
}

Record read_charge(JsonReader& reader) {
  Charge charge;
  charge.id = reader.required_text("id");
  charge.number = reader.required_text("number");
  charge.order = reader.text("order");
  charge.amount_minor = amount(reader);
  charge.currency = reader.required_text("currency");
  charge.method = reader.text("method");
  charge.dialect = reader.text("dialect");
  charge.expires_at = reader.time_ms("expires_at");
  charge.state = one_of(reader, "status", parse_charge_state);
  charge.code = reader.text("code");
  charge.created_at = reader.time_ms("created_at").value_or(Time{});
  charge.succeeds_at = reader.time_ms("succeeds_at");
  charge.hold_until = reader.time_ms("hold_until");
  charge.captured_minor = reader.integer("captured", 0, 0, limits::amount_minor_max);
  return charge;
}

Record read_capture(JsonReader& reader) {
  Capture capture;
  capture.id = reader.required_text("id");
  capture.number = reader.required_text("number");
  capture.charge_number = reader.required_text("charge_number");
  capture.order = reader.text("order");
  capture.amount_minor = amount(reader);
  capture.currency = reader.required_text("currency");
  capture.is_final = reader.flag("final");
  capture.state = one_of(reader, "status", parse_capture_state);
  capture.code = reader.text("code");
  capture.created_at = reader.time_ms("created_at").value_or(Time{});
  return capture;
}

Record read_refund(JsonReader& reader) {
  Refund refund;
  refund.id = reader.required_text("id");
  refund.number = reader.required_text("number");
  refund.charge_number = reader.required_text("charge_number");
  refund.order = reader.text("order");
  refund.amount_minor = amount(reader);
  refund.currency = reader.required_text("currency");
  refund.reason = reader.text("reason");
  refund.state = one_of(reader, "status", parse_refund_state);
  refund.code = reader.text("code");
  refund.created_at = reader.time_ms("created_at").value_or(Time{});
  return refund;
}

Record read_barred(JsonReader& reader) { return BarredNumber{reader.required_text("number")}; }

Record read_call(JsonReader& reader) {
  CallRecord call;
  call.call = one_of(reader, "call", parse_call);
  call.number = reader.text("number");
  call.order = reader.text("order");
  call.fault = one_of(reader, "fault", parse_fault);
  call.at = reader.time_ms("at").value_or(Time{});
  return call;
}

Record read_notice(JsonReader& reader) {
  NoticeChain chain;
  chain.id = reader.required_text("id");
  chain.dialect = reader.text("dialect");
  chain.url = reader.text("url");
  if (json::array const* const bodies = reader.array("bodies"))
    for (json::value const& body : *bodies)
      if (json::string const* const text = body.if_string()) chain.bodies.emplace_back(text->data(), text->size());
  if (chain.bodies.empty()) reader.complain("bodies", "must hold at least one text");
  chain.delay = Millis{reader.integer("delay_ms", 0, 0, std::int64_t{1} << 40)};
  chain.wrong_signature = reader.flag("wrong_signature");
  return chain;
}

Record read_notice_ended(JsonReader& reader) { return NoticeEnded{reader.required_text("id")}; }

Record read_memo(JsonReader& reader) {
  Memo memo;
  memo.collection = reader.required_text("collection");
  memo.key = reader.required_text("key");
  memo.value = reader.text("value");
  return memo;
}

struct RowKind {
  std::string_view name;
  Record (*read)(JsonReader&);
};

constexpr RowKind row_kinds[] = {
    {"charge", read_charge},        {"call", read_call},
    {"notice", read_notice},        {"notice_ended", read_notice_ended},
    {"refund", read_refund},        {"barred", read_barred},
    {"sandbox_journal", read_head}, {"memo", read_memo},
    {"capture", read_capture},
};

}  // namespace

std::string to_line(Record const& record) {
  return std::visit([](auto const& row) { return json::serialize(write(row)); }, record);
}

Result<Record> parse_line(std::string_view line) {
  auto const object = parse_object(line);
  if (!object) return std::unexpected(object.error());
  JsonReader reader{*object};
  std::string const row = reader.text("row");
  for (RowKind const& kind : row_kinds) {
    if (kind.name != row) continue;
    Record record = kind.read(reader);
    if (auto const read = reader.result(); !read) return std::unexpected(read.error());
    return record;
  }
  return fail(ErrorCode::invalid_request, fmt::format("\"row\" is \"{}\", which is no row of a sandbox journal", row));
}

}  // namespace payonce::sandbox
