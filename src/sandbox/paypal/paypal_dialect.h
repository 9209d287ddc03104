// PayPal over the bank: access tokens, Orders v2 (create, approve, capture, authorize), Payments v2 (captures and voids
// of authorizations, refunds), signed webhooks.
// Source: github.com/paypal/paypal-rest-api-specifications, developer.paypal.com/api/rest/webhooks/rest.
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "sandbox/dialect.h"
#include "sandbox/keys/merchant_keys.h"

namespace payonce::sandbox::paypal {

class PaypalDialect final : public Dialect {
 public:
  // `notify_url` empty: no webhooks are sent.
  PaypalDialect(DialectParts parts, PaypalKeys keys, std::string notify_url);

  std::string_view name() const override { return "paypal"; }
  bool understands(HttpRequest const& request, Target const& target) const override;
  void handle(HttpRequest const& request, Target const& target, Respond respond) override;

  std::string account() const override { return keys_.merchant_id; }
  std::string url(NoticeFacts const&) const override { return notify_url_; }
  std::string body(NoticeFacts const& facts, bool wrong_signature) const override;
  HttpHeaders headers(std::string const& body, bool wrong_signature) const override;

 private:
  // An order as the merchant made it ("phase" is CREATED or APPROVED), and the charge once it was captured or
  // authorized.
  struct Order {
    boost::json::object record;
    Charge charge;
    bool exists() const { return !record.empty(); }
    bool holds() const { return text("intent") == "AUTHORIZE"; }
    bool is_complete() const {
      bool const has_charge = !charge.id.empty() && charge.state != ChargeState::declined;
      return holds() ? has_charge : charge.state == ChargeState::succeeded;
    }
    std::string text(std::string_view name) const { return std::string{record.at(name).as_string()}; }
  };
  // What a refund is of: all that an order took at once, or one capture of what it held.
  struct Captured {
    std::string id;
    Order order;
    std::int64_t left_minor = 0;
  };
  // A call that may be repeated under its request id.
  struct Asked {
    std::string request_id;  // of PayPal-Request-Id, or empty
    bool wants_all = false;  // Prefer: return=representation
    boost::json::object body = {};
  };
  using Operation = std::function<HttpResponse(Injection)>;

  HttpResponse token(HttpRequest const& request);
  bool has_token(HttpRequest const& request) const;
  void serve(Call call, std::string number, std::string order, Operation operation, Respond respond);
  HttpResponse verify_webhook(boost::json::object const& body) const;
  bool is_repeat(std::string_view operation, std::string const& request_id) const;
  void remember(std::string_view operation, std::string const& request_id, std::string const& result);

  // order_calls.cpp
  void create(Asked asked, Respond respond);
  HttpResponse create_order(Asked const& asked, Injection injection);
  // `verb` is capture or authorize.
  void complete(std::string id, std::string verb, Asked asked, Respond respond);
  HttpResponse complete_order(std::string const& id, std::string const& verb, Asked const& asked, Injection injection);
  void handle_buyer(HttpRequest const& request, std::string id, Respond respond);
  void announce_approval(Order const& order);
  NoticeFacts facts_about(Order const& order, std::string_view type) const;
  Order find(std::string_view id) const;
  void keep(Order const& order);
  boost::json::object order_object(Order const& order, Fault fault) const;
  boost::json::object payments_object(Order const& order, Fault fault) const;
  boost::json::object capture_object(Order const& order, Fault fault) const;

  // hold_calls.cpp
  void capture_held(std::string authorization_id, Asked asked, Respond respond);
  HttpResponse create_capture(Order const& order, std::string const& number, Asked const& asked, Injection injection);
  void void_hold(std::string authorization_id, Asked asked, Respond respond);
  bool is_voided(Order const& order) const;
  boost::json::object authorization_object(Order const& order, Fault fault) const;
  boost::json::object held_capture_object(Order const& order, Capture const& capture, Fault fault) const;

  // refund_calls.cpp
  void refund(std::string capture_id, Asked asked, Respond respond);
  HttpResponse create_refund(std::string const& capture_id, std::string const& number, Asked const& asked,
                             Injection injection);
  boost::json::object refund_object(Refund const& refund, Fault fault) const;
  std::optional<Captured> find_captured(std::string_view capture_id) const;
  // The id of the capture that it is of.
  std::string captured_by(Refund const& refund) const;
  void query(std::string kind, std::string id, Respond respond);

  DialectParts const parts_;
  PaypalKeys const keys_;
  std::string const notify_url_;
};

// By PayPal's ids of captures and of authorizations: the id of the order.
inline constexpr std::string_view captures = "paypal.capture";
inline constexpr std::string_view authorizations = "paypal.authorization";

HttpResponse json_response(int status, boost::json::object const& body);
HttpResponse error_response(int status, std::string_view name, std::string_view issue);
inline HttpResponse unprocessable(std::string_view issue) { return error_response(422, "UNPROCESSABLE_ENTITY", issue); }
// 500 or 503.
HttpResponse failure(int status);

// "10.00" and the like, in the digits PayPal gives the currency (two; none for HUF, JPY and TWD).
boost::json::object money(std::int64_t minor, std::string const& currency);
std::optional<std::int64_t> parse_money(boost::json::value const* money);
// The text under `name`, or empty.
std::string text_in(boost::json::object const& object, std::string_view name);

}  // namespace payonce::sandbox::paypal
