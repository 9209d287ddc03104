#include "drill/shop.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/crypto.h"

namespace payonce::drill {

namespace {

namespace json = boost::json;

std::string header_or_empty(HttpRequest const& request, std::string_view name) {
  return std::string{request.header(name).value_or("")};
}

std::string text_in(json::value const& body, std::string_view pointer) {
  boost::system::error_code error;
  auto const* const found = body.find_pointer(pointer, error);
  auto const* const text = found ? found->if_string() : nullptr;
  return text ? std::string{*text} : std::string{};
}

json::value parsed(std::string const& body) {
  boost::system::error_code error;
  auto value = json::parse(body, error);
  return error ? json::value{} : value;
}

}  // namespace

std::string Shop::secret_text() const { return "whsec_" + base64_encode(secret_); }

HttpHandler Shop::handler() {
  return [this](HttpRequest const& request, Respond respond) {
    take(request);
    respond(HttpResponse{});
  };
}

std::string Shop::complaint_about(HttpRequest const& request) const {
  std::string const id = header_or_empty(request, "webhook-id");
  std::string const timestamp = header_or_empty(request, "webhook-timestamp");
  std::string const signed_text = id + "." + timestamp + "." + request.body;
  std::string const signature = "v1," + base64_encode(hmac_sha256(secret_, signed_text));
  if (!constant_time_equal(header_or_empty(request, "webhook-signature"), signature))
    return fmt::format("delivery {} is wrongly signed", id);
  json::value const body = parsed(request.body);
  std::string const effect = text_in(body, "/data/effect");
  if (request.target != "/" + effect) return fmt::format("delivery {} came to {}", id, request.target);
  std::string const refund = text_in(body, "/data/refund_id");
  if (id != (refund.empty() ? text_in(body, "/data/payment_id") : refund) + "." + effect)
    return fmt::format("delivery {} names another payment or refund", id);
  return {};
}

void Shop::take(HttpRequest const& request) {
  std::string complaint = complaint_about(request);
  std::lock_guard const lock{mutex_};
  if (!complaint.empty()) return complaints_.push_back(std::move(complaint));
  effects_by_order_[text_in(parsed(request.body), "/data/order_id")].insert(header_or_empty(request, "webhook-id"));
}

std::set<std::string> Shop::effects_of(std::string const& order) const {
  std::lock_guard const lock{mutex_};
  auto const found = effects_by_order_.find(order);
  return found == effects_by_order_.end() ? std::set<std::string>{} : found->second;
}

std::vector<std::string> Shop::complaints() const {
  std::lock_guard const lock{mutex_};
  return complaints_;
}

}  // namespace payonce::drill
