#include "sandbox/paypal/paypal_dialect.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "base/crypto.h"
#include "base/id.h"
#include "sandbox/json_reader.h"
#include "sandbox/paypal/transmission.h"

namespace payonce::sandbox::paypal {

namespace json = boost::json;

namespace {

constexpr std::chrono::hours token_life{9};

std::string_view message_of(int status) {
  if (status == 400) return "Request is not well-formed, syntactically incorrect, or violates schema.";
  if (status == 404) return "The specified resource does not exist.";
  if (status == 422) return "The requested action could not be performed, semantically incorrect, or failed.";
  return "An error occurred.";
}

}  // namespace

HttpResponse json_response(int status, json::object const& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

HttpResponse error_response(int status, std::string_view name, std::string_view issue) {
  json::object const detail{{"issue", issue}, {"description", issue}};
  return json_response(status, {{"name", name},
                                {"message", message_of(status)},
                                {"debug_id", "sandbox"},
                                {"details", json::array{detail}},
                                {"links", json::array{}}});
}

std::string text_in(json::object const& object, std::string_view name) {
  json::value const* const value = object.if_contains(name);
  return value == nullptr || !value->is_string() ? std::string{} : std::string{value->as_string()};
}

HttpResponse failure(int status) {
  std::string_view const name = status == 503 ? "SERVICE_UNAVAILABLE" : "INTERNAL_SERVER_ERROR";
  return json_response(status, {{"name", name}, {"message", message_of(status)}, {"debug_id", "sandbox"}});
}

PaypalDialect::PaypalDialect(DialectParts parts, PaypalKeys keys, std::string notify_url)
    : parts_(std::move(parts)), keys_(std::move(keys)), notify_url_(std::move(notify_url)) {}

bool PaypalDialect::understands(HttpRequest const&, Target const& target) const {
  auto const& path = target.segments;
  if (path.empty()) return false;
  if (path[0] == "v2" || path[0] == "paypal") return true;
  return path.size() > 1 && path[0] == "v1" && (path[1] == "oauth2" || path[1] == "notifications");
}

void PaypalDialect::handle(HttpRequest const& request, Target const& target, Respond respond) {
  auto const& path = target.segments;
  bool const get = request.method == "GET";
  if (path[0] == "paypal" && path.size() == 3) return handle_buyer(request, path[2], std::move(respond));
  Respond answer = [respond = std::move(respond),
                    id = mint_suffix(parts_.clock.now(), parts_.random)](HttpResponse response) mutable {
    response.headers.push_back({"Paypal-Debug-Id", id});
    respond(std::move(response));
  };
  if (path.size() == 3 && path[1] == "oauth2" && path[2] == "token") return answer(token(request));
  if (path.size() == 4 && path[1] == "notifications" && path[2] == "certs" && get)
    return answer({.headers = {{"Content-Type", "application/x-pem-file"}}, .body = keys_.webhook_certificate});
  if (!has_token(request)) return answer(error_response(401, "AUTHENTICATION_FAILURE", "invalid_token"));
  auto body = parse_object(request.body.empty() ? std::string_view{"{}"} : std::string_view{request.body});
  if (!body) return answer(error_response(400, "INVALID_REQUEST", "MALFORMED_REQUEST_JSON"));

  Asked asked{std::string{request.header("PayPal-Request-Id").value_or("")},
              request.header("Prefer").value_or("") == "return=representation", std::move(*body)};
  if (asked.request_id.size() > 108) return answer(error_response(400, "INVALID_REQUEST", "INVALID_STRING_LENGTH"));
  bool const is_order = path.size() >= 3 && path[0] == "v2" && path[1] == "checkout" && path[2] == "orders";
  bool const is_payment = path.size() >= 4 && path[0] == "v2" && path[1] == "payments";
  if (is_order && path.size() == 3 && !get) return create(std::move(asked), std::move(answer));
  if (is_order && path.size() == 4 && get) return query("orders", path[3], std::move(answer));
  if (is_order && path.size() == 5 && (path[4] == "capture" || path[4] == "authorize"))
    return complete(path[3], path[4], std::move(asked), std::move(answer));
  if (is_payment && path.size() == 4 && get) return query(path[2], path[3], std::move(answer));
  bool const is_about_hold = is_payment && path.size() == 5 && path[2] == "authorizations";
  if (is_about_hold && path[4] == "capture") return capture_held(path[3], std::move(asked), std::move(answer));
  if (is_about_hold && path[4] == "void") return void_hold(path[3], std::move(asked), std::move(answer));
  if (is_payment && path.size() == 5 && path[2] == "captures" && path[4] == "refund")
    return refund(path[3], std::move(asked), std::move(answer));
  if (path.back() == "verify-webhook-signature") return answer(verify_webhook(asked.body));
  answer(error_response(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID"));
}

// A token says until when it holds and is sealed with the secret, so that it needs no memory.
HttpResponse PaypalDialect::token(HttpRequest const& request) {
  std::string const wanted = "Basic " + base64_encode(keys_.client_id + ":" + keys_.client_secret);
  if (!constant_time_equal(request.header("Authorization").value_or(""), wanted))
    return json_response(401, {{"error", "invalid_client"}, {"error_description", "Client Authentication failed"}});
  std::string const until = std::to_string(to_epoch_ms(parts_.clock.now() + token_life));
  return json_response(200, {{"scope", "https://uri.paypal.com/services/payments/payment"},
                             {"access_token", until + "." + hmac_sha256_hex(keys_.client_secret, until)},
                             {"token_type", "Bearer"},
                             {"app_id", "APP-SANDBOX"},
                             {"expires_in", std::chrono::seconds{token_life}.count()},
                             {"nonce", mint_suffix(parts_.clock.now(), parts_.random)}});
}

bool PaypalDialect::has_token(HttpRequest const& request) const {
  std::string_view const header = request.header("Authorization").value_or("");
  std::size_t const dot = header.find('.');
  if (!header.starts_with("Bearer ") || dot == std::string_view::npos || dot > 25) return false;
  std::string const until{header.substr(7, dot - 7)};
  if (until.find_first_not_of("0123456789") != std::string::npos || until.empty()) return false;
  return constant_time_equal(header.substr(dot + 1), hmac_sha256_hex(keys_.client_secret, until)) &&
         parts_.clock.now() < from_epoch_ms(std::stoll(until));
}

void PaypalDialect::serve(Call call, std::string number, std::string order, Operation operation, Respond respond) {
  parts_.teller.serve({call, std::move(number), std::move(order), failure}, std::move(operation), std::move(respond));
}

// What a request id stands for is remembered; the answer to its repeat is the state of today.
bool PaypalDialect::is_repeat(std::string_view operation, std::string const& request_id) const {
  return !request_id.empty() && !parts_.forgetful &&
         parts_.ledger.find("paypal.request", fmt::format("{} {}", operation, request_id)) != nullptr;
}

void PaypalDialect::remember(std::string_view operation, std::string const& request_id, std::string const& result) {
  if (!request_id.empty()) parts_.ledger.keep("paypal.request", fmt::format("{} {}", operation, request_id), result);
}

HttpResponse PaypalDialect::verify_webhook(json::object const& body) const {
  auto const text = [&](std::string_view name) { return text_in(body, name); };
  json::value const* const event = body.if_contains("webhook_event");
  bool const is_ours = event != nullptr && text("webhook_id") == keys_.webhook_id;
  auto const raw = base64_decode(text("transmission_sig"));
  std::string const signed_text = transmission_text(text("transmission_id"), text("transmission_time"),
                                                    keys_.webhook_id, event == nullptr ? "" : json::serialize(*event));
  bool const holds = is_ours && raw && keys_.webhook_key.verify(signed_text, *raw);
  return json_response(200, {{"verification_status", holds ? "SUCCESS" : "FAILURE"}});
}

}  // namespace payonce::sandbox::paypal
