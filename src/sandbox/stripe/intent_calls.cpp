// Payment intents: create, confirm, capture, cancel.
#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <utility>

#include "base/id.h"
#include "base/limits.h"
#include "sandbox/stripe/stripe_dialect.h"

namespace payonce::sandbox::stripe {

namespace json = boost::json;

namespace {

constexpr std::string_view collection = "stripe.intent";

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<HttpResponse> metadata_fault(Parameters const& parameters) {
  json::object const metadata = members_of(parameters, "metadata");
  bool is_too_much = metadata.size() > 50;
  for (auto const& entry : metadata) is_too_much |= entry.key().size() > 40 || entry.value().as_string().size() > 500;
  if (!is_too_much) return std::nullopt;
  return error_response({.code = "parameter_invalid_string",
                         .message = "Metadata: at most 50 keys of 40 characters with values of 500.",
                         .parameter = "metadata"});
}

// What Stripe checks before it begins; nothing of this is remembered under the key.
std::optional<HttpResponse> create_fault(Parameters const& parameters) {
  auto const invalid = [](std::string_view code, std::string message, std::string_view parameter) {
    return error_response({.code = code, .message = std::move(message), .parameter = parameter});
  };
  std::string_view const amount = value_of(parameters, "amount");
  std::string_view const currency = value_of(parameters, "currency");
  if (amount.empty()) return invalid("parameter_missing", "Missing required param: amount.", "amount");
  if (currency.empty()) return invalid("parameter_missing", "Missing required param: currency.", "currency");
  auto const number = whole_number(amount);
  if (!number) return invalid("parameter_invalid_integer", fmt::format("Invalid integer: {}", amount), "amount");
  if (!to_minor(*number, currency))
    return invalid("invalid_charge_amount", fmt::format("Invalid amount for {}: {}", currency, amount), "amount");
  bool const confirms = value_of(parameters, "confirm") == "true";
  std::string_view const method = value_of(parameters, "payment_method");
  if (!method.empty() && !test_method(method))
    return invalid("resource_missing", fmt::format("No such PaymentMethod: '{}'", method), "payment_method");
  bool const is_automatic = value_of(parameters, "automatic_payment_methods[enabled]") == "true";
  bool const may_redirect = value_of(parameters, "automatic_payment_methods[allow_redirects]") != "never";
  if (confirms && is_automatic && may_redirect && value_of(parameters, "return_url").empty())
    return invalid({}, "A return_url is needed to confirm with payment methods that may redirect.", "return_url");
  return metadata_fault(parameters);
}

}  // namespace

void StripeDialect::create_intent(Asked asked, Respond respond) {
  if (auto fault = create_fault(asked.parameters)) return respond(std::move(*fault));
  std::string const number = bank_number(asked.key);
  auto operation = [this, number, parameters = asked.parameters](Injection injection) {
    return create(number, parameters, injection);
  };
  serve(std::move(asked), number, std::move(operation), std::move(respond));
}

HttpResponse StripeDialect::create(std::string const& number, Parameters const& parameters, Injection injection) {
  std::int64_t const amount = *whole_number(value_of(parameters, "amount"));
  std::string const currency{value_of(parameters, "currency")};
  bool const is_manual = value_of(parameters, "capture_method") == "manual";
  ChargeReply const reply = parts_.ledger.bank().create({.number = number,
                                                         .order = order_of(number, parameters),
                                                         .amount_minor = *to_minor(amount, currency),
                                                         .currency = to_upper(currency),
                                                         .method = "approve",
                                                         .expires_at = {},
                                                         .dialect = std::string{name()},
                                                         .forced_method = {},
                                                         .holds = is_manual},
                                                        parts_.clock.now());
  if (reply.verdict != Verdict::done)
    return error_response({.type = "idempotency_error", .message = "The key stands for another request."});
  std::string const id = intent_id(reply.charge.id);
  auto const text = [&](std::string_view name) -> json::value {
    std::string_view const value = value_of(parameters, name);
    return value.empty() ? json::value() : json::value(json::string{value.data(), value.size()});
  };
  Intent intent{.record = {{"id", id},
                           {"object", "payment_intent"},
                           {"amount", amount},
                           {"currency", currency},
                           {"capture_method", is_manual ? "manual" : "automatic"},
                           {"client_secret", fmt::format("{}_secret_{}", id, reply.charge.id.substr(3, 12))},
                           {"created", to_epoch_ms(reply.charge.created_at) / 1000},
                           {"description", text("description")},
                           {"last_payment_error", nullptr},
                           {"livemode", false},
                           {"metadata", members_of(parameters, "metadata")},
                           {"payment_method", text("payment_method")},
                           {"return_url", text("return_url")},
                           {"canceled_at", nullptr},
                           {"cancellation_reason", nullptr},
                           {"number", number},
                           {"phase", value_of(parameters, "payment_method").empty() ? "requires_payment_method"
                                                                                    : "requires_confirmation"}},
                .charge = reply.charge};
  keep(intent);
  if (value_of(parameters, "confirm") == "true") return confirm(std::move(intent), parameters, injection);
  if (parts_.buyers_pay && injection.fault != Fault::buyer_waits) {
    // What the buyer is told on the page is no answer to the merchant.
    confirm(std::move(intent), {{"payment_method", "pm_card_visa"}}, injection);
    return answer(find_intent(id), injection);
  }
  return answer(intent, injection);
}

void StripeDialect::continue_intent(Asked asked, std::string const& id, std::string_view verb, Respond respond) {
  Intent const known = find_intent(id);
  if (known.record.empty())
    return respond(error_response({.status = 404,
                                   .code = "resource_missing",
                                   .message = fmt::format("No such payment_intent: '{}'", id),
                                   .parameter = "intent"}));
  std::string_view const method = value_of(asked.parameters, "payment_method");
  if (!method.empty() && !test_method(method))
    return respond(error_response({.code = "resource_missing",
                                   .message = fmt::format("No such PaymentMethod: '{}'", method),
                                   .parameter = "payment_method"}));
  using Step = HttpResponse (StripeDialect::*)(Intent, Parameters const&, Injection);
  Step step = nullptr;
  if (verb == "confirm") step = &StripeDialect::confirm;
  if (verb == "cancel") step = &StripeDialect::cancel;
  if (verb == "cancel") asked.call = Call::close;
  Operation operation = [this, id, step, parameters = asked.parameters](Injection injection) {
    return (this->*step)(find_intent(id), parameters, injection);
  };
  if (verb == "capture") {
    asked.call = Call::capture;
    operation = [this, id, number = bank_number(asked.key), parameters = asked.parameters](Injection injection) {
      return capture(find_intent(id), number, parameters, injection);
    };
  } else if (step == nullptr) {
    return respond(error_response({.status = 404, .message = "Unrecognized request URL."}));
  }
  serve(std::move(asked), known.number(), std::move(operation), std::move(respond));
}

HttpResponse StripeDialect::confirm(Intent intent, Parameters const& parameters, Injection injection) {
  bool const can_be_paid =
      intent.charge.state == ChargeState::declined || intent.charge.state == ChargeState::requires_action;
  if (!can_be_paid) return unexpected_state(intent);
  std::string method_id{value_of(parameters, "payment_method")};
  if (method_id.empty() && intent.record.at("payment_method").is_string())
    method_id = intent.record.at("payment_method").as_string();
  auto method = test_method(method_id);
  if (!method) return unexpected_state(intent);  // there is nothing to confirm with
  if (injection.fault == Fault::decline) method->course = Course::decline;
  if (injection.fault == Fault::decline_then_succeed) method->course = Course::decline_then_succeed;
  if (injection.fault == Fault::buyer_waits) method->course = Course::act;
  bool const must_not_act =
      value_of(parameters, "off_session") == "true" || value_of(parameters, "error_on_requires_action") == "true";
  if (method->course == Course::act && must_not_act)
    *method = {method_id, Course::decline, "authentication_required", "authentication_required"};

  Bank& bank = parts_.ledger.bank();
  intent.record["payment_method"] = method_id;
  intent.record["last_payment_error"] = nullptr;
  if (std::string_view const url = value_of(parameters, "return_url"); !url.empty()) intent.record["return_url"] = url;
  switch (method->course) {
    case Course::decline:
    case Course::decline_then_succeed: return decline(std::move(intent), *method, injection);
    case Course::act: intent.record["phase"] = "requires_action"; break;
    case Course::process: intent.charge = bank.pay(intent.number(), "pending", parts_.clock.now()).charge; break;
    case Course::succeed:
      std::string_view const how = injection.fault == Fault::short_hold ? to_text(injection.fault) : "card";
      intent.charge = bank.pay(intent.number(), how, parts_.clock.now()).charge;
  }
  keep(intent);
  return answer(intent, injection);
}

HttpResponse StripeDialect::decline(Intent intent, TestMethod const& method, Injection injection) {
  std::string_view const course = method.course == Course::decline ? "decline" : "decline_then_succeed";
  std::string_view const code = method.code.empty() ? "card_declined" : method.code;
  std::string_view const reason = method.code.empty() ? "generic_decline" : method.decline_code;
  intent.charge = parts_.ledger.bank().pay(intent.number(), course, parts_.clock.now()).charge;
  intent.record["phase"] = "requires_payment_method";
  intent.record["payment_method"] = nullptr;
  json::object error{{"type", "card_error"}, {"code", code}, {"message", "Your card was declined."}};
  if (!reason.empty()) error["decline_code"] = reason;
  intent.record["last_payment_error"] = std::move(error);
  keep(intent);
  return error_response({.status = 402,
                         .type = "card_error",
                         .code = code,
                         .message = "Your card was declined.",
                         .decline_code = reason,
                         .intent = intent_object(intent.record, intent.charge, injection.fault, parts_.base_url)});
}

// Once, and what it leaves is let go.
HttpResponse StripeDialect::capture(Intent intent, std::string const& number, Parameters const& parameters,
                                    Injection injection) {
  if (intent.charge.state != ChargeState::authorized) return unexpected_state(intent);
  std::int64_t const whole = intent.record.at("amount").as_int64();
  std::string_view const asked = value_of(parameters, "amount_to_capture");
  std::int64_t const amount = asked.empty() ? whole : whole_number(asked).value_or(0);
  auto const minor = to_minor(amount, to_lower(intent.charge.currency));
  if (!minor || amount > whole)
    return error_response({.code = "amount_too_large",
                           .message = "The amount to capture does not fit the amount that is held.",
                           .parameter = "amount_to_capture"});
  CaptureReply const reply = parts_.ledger.bank().capture({.number = number,
                                                           .charge_number = intent.number(),
                                                           .amount_minor = *minor,
                                                           .currency = intent.charge.currency,
                                                           .forced_decline = injection.fault == Fault::decline},
                                                          parts_.clock.now());
  if (reply.verdict != Verdict::done)
    return error_response({.type = "idempotency_error", .message = "The key stands for another request."});
  if (reply.capture.state == CaptureState::declined)
    return error_response({.status = 402,
                           .type = "card_error",
                           .code = "charge_expired_for_capture",
                           .message = "The charge can't be captured, as its authorization has expired."});
  for (auto const& entry : members_of(parameters, "metadata"))
    intent.record.at("metadata").as_object()[entry.key()] = entry.value();
  keep(intent);
  return answer(find_intent(std::string{intent.record.at("id").as_string()}), injection);
}

HttpResponse StripeDialect::cancel(Intent intent, Parameters const& parameters, Injection injection) {
  ChargeState const state = intent.charge.state;
  bool const can_be_ended =
      state == ChargeState::declined || state == ChargeState::requires_action || state == ChargeState::authorized;
  if (!can_be_ended) return unexpected_state(intent);
  intent.charge = parts_.ledger.bank().abandon(intent.number()).charge;
  std::string_view const reason = value_of(parameters, "cancellation_reason");
  if (!reason.empty()) intent.record["cancellation_reason"] = reason;
  intent.record["canceled_at"] = to_epoch_ms(parts_.clock.now()) / 1000;
  keep(intent);
  return answer(intent, injection);
}

HttpResponse StripeDialect::unexpected_state(Intent const& intent) const {
  json::object object = intent_object(intent.record, intent.charge, Fault::none, parts_.base_url);
  std::string message = fmt::format("This PaymentIntent has a status of {}, which does not allow this.",
                                    intent_status(intent.record, intent.charge));
  return error_response(
      {.code = "payment_intent_unexpected_state", .message = std::move(message), .intent = std::move(object)});
}

StripeDialect::Intent StripeDialect::find_intent(std::string_view id) const {
  std::string const* const text = parts_.ledger.find(collection, id);
  if (text == nullptr) return {};
  Intent intent{.record = json::parse(*text).as_object(), .charge = {}};
  intent.charge = parts_.ledger.bank().query(intent.number()).charge;
  return intent;
}

void StripeDialect::keep(Intent const& intent) {
  json::string const& id = intent.record.at("id").as_string();
  parts_.ledger.keep(collection, {id.data(), id.size()}, json::serialize(intent.record));
}

HttpResponse StripeDialect::answer(Intent const& intent, Injection injection) const {
  return {.headers = {{"Content-Type", "application/json"}},
          .body = json::serialize(intent_object(intent.record, intent.charge, injection.fault, parts_.base_url))};
}

}  // namespace payonce::sandbox::stripe
