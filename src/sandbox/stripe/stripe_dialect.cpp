#include "sandbox/stripe/stripe_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "base/crypto.h"
#include "base/id.h"
#include "net/form.h"

namespace payonce::sandbox::stripe {

namespace json = boost::json;

namespace {

constexpr std::string_view bearer = "Bearer ";
constexpr std::string_view basic = "Basic ";

// The secret key of a request: a bearer token, or the user name of basic authentication.
std::string key_of(HttpRequest const& request) {
  auto const header = request.header("Authorization");
  if (!header) return {};
  if (header->starts_with(bearer)) return std::string{header->substr(bearer.size())};
  if (!header->starts_with(basic)) return {};
  std::string const user = base64_decode(header->substr(basic.size())).value_or("");
  return user.substr(0, user.find(':'));
}

bool is_secret_key(std::string_view key) { return key.starts_with("sk_") || key.starts_with("rk_"); }

// The path and the parameters in an order of their own: what Stripe compares under one key.
std::string fingerprint_of(std::string_view path, Parameters parameters) {
  std::ranges::sort(parameters);
  std::string text{path};
  for (auto const& [name, value] : parameters) text += fmt::format("\n{}={}:{}", name, value.size(), value);
  return sha256_hex(text);
}

HttpResponse unknown_route(HttpRequest const& request, Target const& target) {
  return error_response(
      {.status = 404, .message = fmt::format("Unrecognized request URL ({}: {}).", request.method, target.path)});
}

}  // namespace

StripeDialect::StripeDialect(DialectParts parts, StripeKeys keys, std::string notify_url)
    : parts_(std::move(parts)),
      keys_(std::move(keys)),
      notify_url_(std::move(notify_url)),
      answers_(parts_.ledger, parts_.clock) {}

// Its paths begin like those of the bank's own dialect; its secret keys do not.
bool StripeDialect::understands(HttpRequest const& request, Target const& target) const {
  if (target.segments.size() < 2 || target.segments[0] != "v1") return false;
  std::string const& second = target.segments[1];
  return is_secret_key(key_of(request)) || second == "payment_intents" || second == "balance_transactions";
}

void StripeDialect::handle(HttpRequest const& request, Target const& target, Respond respond) {
  std::string key{request.header("Idempotency-Key").value_or("")};
  // Every answer names the request it belongs to.
  Respond answer = [respond = std::move(respond), key, id = "req_" + mint_suffix(parts_.clock.now(), parts_.random),
                    version =
                        std::string{request.header("Stripe-Version").value_or("")}](HttpResponse response) mutable {
    response.headers.push_back({"Request-Id", id});
    if (!key.empty()) response.headers.push_back({"Idempotency-Key", key});
    if (!version.empty()) response.headers.push_back({"Stripe-Version", version});
    respond(std::move(response));
  };
  if (!constant_time_equal(key_of(request), keys_.secret_key))
    return answer(error_response({.status = 401, .message = "Invalid API Key provided."}));
  if (request.method == "GET") return handle_get(target, std::move(answer));
  if (request.method != "POST") return answer(unknown_route(request, target));
  if (key.size() > 255)
    return answer(
        error_response({.message = "An idempotency key has at most 255 characters.", .parameter = "idempotency_key"}));
  auto parameters = parse_form(request.body);
  if (!parameters) return answer(error_response({.message = parameters.error().detail}));
  std::string fingerprint = fingerprint_of(target.path, *parameters);
  handle_post({Call::create, std::move(key), std::move(fingerprint), std::move(*parameters)}, target.segments,
              std::move(answer));
}

void StripeDialect::handle_post(Asked asked, std::vector<std::string> const& path, Respond respond) {
  if (path.size() == 2 && path[1] == "payment_intents") return create_intent(std::move(asked), std::move(respond));
  if (path.size() == 4 && path[1] == "payment_intents")
    return continue_intent(std::move(asked), path[2], path[3], std::move(respond));
  if (path.size() == 2 && path[1] == "refunds") return create_refund(std::move(asked), std::move(respond));
  respond(error_response({.status = 404, .message = "Unrecognized request URL."}));
}

void StripeDialect::handle_get(Target const& target, Respond respond) {
  auto const& path = target.segments;
  if (path.size() == 2 && path[1] == "payment_intents") return list_intents(target, std::move(respond));
  if (path.size() == 2 && path[1] == "refunds") return list_refunds(target, std::move(respond));
  if (path.size() == 2 && path[1] == "balance_transactions") return list_balance(target, std::move(respond));
  if (path.size() != 3) return respond(error_response({.status = 404, .message = "Unrecognized request URL."}));

  bool const is_refund = path[1] == "refunds";
  std::string number;
  if (std::string const* const known = parts_.ledger.find(is_refund ? "stripe.refund" : "stripe.intent", path[2]))
    number = json::parse(*known).at("number").as_string();
  std::string_view const order =
      is_refund ? parts_.ledger.bank().order_of_refund(number) : parts_.ledger.bank().order_of_charge(number);
  auto execute = [this, is_refund, id = path[2], number](Injection injection) {
    HttpResponse const missing = error_response({.status = 404,
                                                 .code = "resource_missing",
                                                 .message = fmt::format("No such object: '{}'", id),
                                                 .parameter = is_refund ? "refund" : "intent"});
    if (number.empty()) return missing;
    if (!is_refund) return answer(find_intent(id), injection);
    json::object const refund = refund_json(parts_.ledger.bank().query_refund(number).refund, injection.fault);
    return HttpResponse{.headers = {{"Content-Type", "application/json"}}, .body = json::serialize(refund)};
  };
  Call const call = is_refund ? Call::query_refund : Call::query;
  parts_.teller.serve({call, number, std::string{order}, failure}, std::move(execute), std::move(respond));
}

std::string StripeDialect::bank_number(std::string const& key) {
  if (!key.empty() && key.size() <= 64) return key;
  return "sandbox_" + mint_suffix(parts_.clock.now(), parts_.random);
}

// Merchants put the order into the metadata; the bank's ledger sums up by it.
std::string StripeDialect::order_of(std::string const& number, Parameters const& parameters) const {
  if (std::string_view const known = parts_.ledger.bank().order_of_charge(number); !known.empty())
    return std::string{known};
  for (auto const& entry : members_of(parameters, "metadata")) {
    std::string_view const key{entry.key().data(), entry.key().size()};
    if (key.ends_with("order_id") || key.ends_with("_order")) return std::string{entry.value().as_string()};
  }
  return number;
}

// The first answer under a key stays the answer. A request that did not pass its checks never gets here.
void StripeDialect::serve(Asked asked, std::string number, Operation operation, Respond respond) {
  KeptAnswers::Turn turn;
  if (!asked.key.empty() && !parts_.forgetful) {
    turn = answers_.begin(asked.key);
    if (!turn)
      return respond(error_response({.status = 409,
                                     .code = "idempotency_key_in_use",
                                     .message = "There is another in-progress request with this idempotency key."}));
  }
  std::string order = order_of(number, asked.parameters);
  auto execute = [this, asked = std::move(asked), turn = std::move(turn),
                  operation = std::move(operation)](Injection injection) mutable {
    if (!turn) return operation(injection);
    auto kept = answers_.find(asked.key, asked.fingerprint);
    if (!kept) {
      HttpResponse const first = operation(injection);
      answers_.keep(asked.key, asked.fingerprint, injection.fault == Fault::answer_500_after ? failure(500) : first);
      kept = first;
    }
    turn.reset();
    return std::move(*kept);
  };
  parts_.teller.serve({asked.call, std::move(number), std::move(order), failure}, std::move(execute),
                      std::move(respond));
}

}  // namespace payonce::sandbox::stripe
