#include "sandbox/payment_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/crypto.h"
#include "base/limits.h"
#include "sandbox/bill.h"
#include "sandbox/json_reader.h"

namespace payonce::sandbox {

namespace {

constexpr std::size_t number_chars_max = 64;  // what the strictest real channel takes

bool is_currency(std::string_view text) {
  return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_number(std::string_view text) {
  auto const fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= number_chars_max && std::ranges::all_of(text, fits);
}

std::string read_number(JsonReader& reader, std::string_view name) {
  std::string number = reader.required_text(name);
  if (!is_number(number))
    reader.complain(name, fmt::format("must be 1 to {} letters, digits, \"_\" or \"-\"", number_chars_max));
  return number;
}

std::string read_currency(JsonReader& reader) {
  std::string currency = reader.required_text("currency");
  if (!is_currency(currency)) reader.complain("currency", "must be three capital letters");
  return currency;
}

// The header says the same as the body, or nothing.
void check_key(JsonReader& reader, HttpRequest const& request, std::string_view number) {
  auto const key = request.header("Idempotency-Key");
  if (key && *key != number) reader.complain("number", "differs from the Idempotency-Key header");
}

Result<CreateCharge> read_charge(HttpRequest const& request) {
  auto const body = parse_object(request.body);
  if (!body) return std::unexpected(body.error());
  JsonReader reader{*body};
  CreateCharge charge;
  charge.number = read_number(reader, "number");
  charge.order = reader.required_text("order");
  charge.amount_minor = reader.required_integer("amount", 1, limits::amount_minor_max);
  charge.currency = read_currency(reader);
  charge.method = reader.text("method");
  charge.expires_at = reader.time_rfc3339("expires_at");
  charge.holds = reader.flag("hold");
  check_key(reader, request, charge.number);
  if (charge.order.size() > limits::order_id_chars) reader.complain("order", "is too long");
  if (charge.method.size() > limits::method_chars) reader.complain("method", "is too long");
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return charge;
}

Result<CreateCapture> read_capture(HttpRequest const& request) {
  auto const body = parse_object(request.body);
  if (!body) return std::unexpected(body.error());
  JsonReader reader{*body};
  CreateCapture capture;
  capture.number = read_number(reader, "number");
  capture.charge_number = read_number(reader, "charge_number");
  capture.amount_minor = reader.required_integer("amount", 1, limits::amount_minor_max);
  capture.currency = read_currency(reader);
  capture.is_final = reader.flag("final");
  check_key(reader, request, capture.number);
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return capture;
}

Result<CreateRefund> read_refund(HttpRequest const& request) {
  auto const body = parse_object(request.body);
  if (!body) return std::unexpected(body.error());
  JsonReader reader{*body};
  CreateRefund refund;
  refund.number = read_number(reader, "number");
  refund.charge_number = read_number(reader, "charge_number");
  refund.amount_minor = reader.required_integer("amount", 1, limits::amount_minor_max);
  refund.currency = read_currency(reader);
  refund.reason = reader.text("reason");
  check_key(reader, request, refund.number);
  if (refund.reason.size() > limits::reason_chars) reader.complain("reason", "is too long");
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return refund;
}

// The method token that a fault puts in the place of the caller's.
std::string_view forced_method(Fault fault) {
  if (fault == Fault::buyer_waits) return "approve";
  bool const is_named_so =
      fault == Fault::decline || fault == Fault::decline_then_succeed || fault == Fault::short_hold;
  return is_named_so ? to_text(fault) : std::string_view{};
}

}  // namespace

void PaymentRoutes::handle(HttpRequest const& request, Target const& target, Respond respond) {
  if (!is_authorized(request))
    return respond(error_response(401, "unauthorized", "Send Authorization: Bearer with the sandbox's API secret."));
  auto const& path = target.segments;  // "v1", collection, number, verb
  bool const get = request.method == "GET";
  bool const post = request.method == "POST";
  if (path.size() == 2 && path[1] == "charges" && post) return create(request, std::move(respond));
  if (path.size() == 2 && path[1] == "captures" && post) return capture(request, std::move(respond));
  if (path.size() == 3 && path[1] == "captures" && get) return query_capture(path[2], std::move(respond));
  if (path.size() == 2 && path[1] == "refunds" && post) return refund(request, std::move(respond));
  if (path.size() == 3 && path[1] == "charges" && get) return query(path[2], std::move(respond));
  if (path.size() == 3 && path[1] == "refunds" && get) return query_refund(path[2], std::move(respond));
  if (path.size() == 4 && path[1] == "charges" && path[3] == "close" && post) return close(path[2], std::move(respond));
  if (path.size() == 3 && path[1] == "statements" && get) return respond(statement(path[2]));
  respond(error_response(404, "not_found", "The sandbox has no such call; see its reference."));
}

bool PaymentRoutes::is_authorized(HttpRequest const& request) const {
  if (api_secret_.empty()) return true;
  auto const header = request.header("Authorization");
  constexpr std::string_view scheme = "Bearer ";
  return header && header->starts_with(scheme) && constant_time_equal(header->substr(scheme.size()), api_secret_);
}

// At any time, with what has moved by then: tests don't wait for tomorrow.
HttpResponse PaymentRoutes::statement(std::string const& day) const {
  auto const from = parse_day(day);
  if (!from) return error_response(400, "invalid_request", "Name a day of UTC as 2026-01-02.", "day");
  return {.status = 200,
          .headers = {{"Content-Type", "text/csv; charset=utf-8"}},
          .body = bill_csv(bill_of(ledger_.bank(), {}, *from, *from + std::chrono::hours{24}))};
}

void PaymentRoutes::create(HttpRequest const& request, Respond respond) {
  auto charge = read_charge(request);
  if (!charge) return respond(refusal(charge.error()));
  BankCall call{Call::create, charge->number, charge->order, bank_failure};
  auto execute = [this, charge = std::move(*charge)](Injection injection) mutable {
    charge.forced_method = forced_method(injection.fault);
    return charge_response(ledger_.bank().create(charge, clock_.now()), Call::create, injection.fault, context_);
  };
  teller_.serve(std::move(call), std::move(execute), std::move(respond));
}

void PaymentRoutes::query(std::string const& number, Respond respond) {
  auto execute = [this, number](Injection injection) {
    return charge_response(ledger_.bank().query(number), Call::query, injection.fault, context_);
  };
  BankCall call{Call::query, number, std::string{ledger_.bank().order_of_charge(number)}, bank_failure};
  teller_.serve(std::move(call), std::move(execute), std::move(respond));
}

void PaymentRoutes::close(std::string const& number, Respond respond) {
  // Closing makes an unknown number known for ever, so it must be one that could have been charged.
  if (!is_number(number))
    return respond(error_response(400, "invalid_request", "This can't be the number of a charge.", "number"));
  auto execute = [this, number](Injection injection) {
    return charge_response(ledger_.bank().close(number), Call::close, injection.fault, context_);
  };
  BankCall call{Call::close, number, std::string{ledger_.bank().order_of_charge(number)}, bank_failure};
  teller_.serve(std::move(call), std::move(execute), std::move(respond));
}

void PaymentRoutes::capture(HttpRequest const& request, Respond respond) {
  auto capture = read_capture(request);
  if (!capture) return respond(refusal(capture.error()));
  BankCall call{Call::capture, capture->number, std::string{ledger_.bank().order_of_charge(capture->charge_number)},
                bank_failure};
  auto execute = [this, capture = std::move(*capture)](Injection injection) mutable {
    capture.forced_decline = injection.fault == Fault::decline;
    return capture_response(ledger_.bank().capture(capture, clock_.now()), Call::capture, injection.fault);
  };
  teller_.serve(std::move(call), std::move(execute), std::move(respond));
}

void PaymentRoutes::query_capture(std::string const& number, Respond respond) {
  auto execute = [this, number](Injection injection) {
    return capture_response(ledger_.bank().query_capture(number), Call::query_capture, injection.fault);
  };
  BankCall call{Call::query_capture, number, std::string{ledger_.bank().order_of_capture(number)}, bank_failure};
  teller_.serve(std::move(call), std::move(execute), std::move(respond));
}

void PaymentRoutes::refund(HttpRequest const& request, Respond respond) {
  auto refund = read_refund(request);
  if (!refund) return respond(refusal(refund.error()));
  BankCall call{Call::refund, refund->number, std::string{ledger_.bank().order_of_charge(refund->charge_number)},
                bank_failure};
  auto execute = [this, refund = std::move(*refund)](Injection injection) mutable {
    refund.forced_decline = injection.fault == Fault::decline;
    return refund_response(ledger_.bank().refund(refund, clock_.now()), Call::refund, injection.fault);
  };
  teller_.serve(std::move(call), std::move(execute), std::move(respond));
}

void PaymentRoutes::query_refund(std::string const& number, Respond respond) {
  auto execute = [this, number](Injection injection) {
    return refund_response(ledger_.bank().query_refund(number), Call::query_refund, injection.fault);
  };
  BankCall call{Call::query_refund, number, std::string{ledger_.bank().order_of_refund(number)}, bank_failure};
  teller_.serve(std::move(call), std::move(execute), std::move(respond));
}

}  // namespace payonce::sandbox
