// Refunds: create; the query is among the other GETs.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>
#include <utility>

#include "sandbox/stripe/stripe_dialect.h"

namespace payonce::sandbox::stripe {

namespace json = boost::json;

namespace {

constexpr std::string_view collection = "stripe.refund";

}  // namespace

void StripeDialect::create_refund(Asked asked, Respond respond) {
  std::string id{value_of(asked.parameters, "payment_intent")};
  std::string_view const charge = value_of(asked.parameters, "charge");
  if (id.empty() && charge.size() > 3) id = intent_id(charge);
  Intent const intent = find_intent(id);
  if (intent.record.empty())
    return respond(error_response({.status = 404,
                                   .code = "resource_missing",
                                   .message = fmt::format("No such payment_intent: '{}'", id),
                                   .parameter = "payment_intent"}));
  std::string_view const amount = value_of(asked.parameters, "amount");
  std::optional<std::int64_t> minor;
  if (!amount.empty()) {
    std::int64_t wire = 0;
    auto const [end, error] = std::from_chars(amount.data(), amount.data() + amount.size(), wire);
    if (error == std::errc{} && end == amount.data() + amount.size())
      minor = to_minor(wire, to_lower(intent.charge.currency));
    if (!minor)
      return respond(error_response({.code = "parameter_invalid_integer",
                                     .message = fmt::format("Invalid amount: {}", amount),
                                     .parameter = "amount"}));
  }
  asked.call = Call::refund;
  std::string const number = bank_number(asked.key);
  auto operation = [this, id, minor, number, parameters = asked.parameters](Injection injection) {
    Intent const paid = find_intent(id);
    return refund(number, paid, minor.value_or(parts_.ledger.bank().refundable(paid.number())), parameters, injection);
  };
  serve(std::move(asked), intent.number(), std::move(operation), std::move(respond));
}

HttpResponse StripeDialect::refund(std::string const& number, Intent const& intent, std::int64_t amount_minor,
                                   Parameters const& parameters, Injection injection) {
  Bank& bank = parts_.ledger.bank();
  std::int64_t const left = bank.refundable(intent.number());
  if (intent.charge.state != ChargeState::succeeded)
    return error_response({.message = "This PaymentIntent does not have a successful charge to refund."});
  if (left == 0)
    return error_response(
        {.code = "charge_already_refunded", .message = "The charge has already been refunded.", .parameter = "charge"});
  if (amount_minor > left)
    return error_response(
        {.message = "The refund is greater than the unrefunded amount on the charge.", .parameter = "amount"});
  RefundReply const reply = bank.refund({.number = number,
                                         .charge_number = intent.number(),
                                         .amount_minor = amount_minor,
                                         .currency = intent.charge.currency,
                                         .reason = std::string{value_of(parameters, "reason")},
                                         .forced_decline = injection.fault == Fault::decline},
                                        parts_.clock.now());
  if (reply.verdict != Verdict::done)
    return error_response({.type = "idempotency_error", .message = "The key stands for another request."});
  std::string_view const reason = value_of(parameters, "reason");
  json::object const record{{"metadata", members_of(parameters, "metadata")},
                            {"reason", reason.empty() ? json::value() : json::value(json::string(reason))},
                            {"number", number}};
  parts_.ledger.keep(collection, reply.refund.id, json::serialize(record));
  return {.headers = {{"Content-Type", "application/json"}},
          .body = json::serialize(refund_json(reply.refund, injection.fault))};
}

json::object StripeDialect::refund_json(Refund const& refund, Fault fault) const {
  std::string const* const text = parts_.ledger.find(collection, refund.id);
  json::object const none{{"metadata", json::object{}}, {"reason", nullptr}};
  return refund_object(text == nullptr ? none : json::parse(*text).as_object(), refund,
                       parts_.ledger.bank().query(refund.charge_number).charge.id, fault);
}

}  // namespace payonce::sandbox::stripe
