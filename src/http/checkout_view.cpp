#include "http/checkout_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/crypto.h"
#include "base/json_object.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;

// After which a buyer is told that it takes longer than usual.
constexpr Millis usual_confirmation = 60s;
constexpr std::size_t version_digits = 16;
constexpr std::string_view replace_mark = "-replace";

constexpr Message choose{"Choose how you want to pay.", "请选择支付方式。"};
constexpr Message takes_long{
    "The bank is still confirming your payment; this takes longer than usual. Please do not pay again.",
    "银行仍在确认支付结果，用时较长，请勿重复付款。"};
constexpr Message being_closed{"This payment is being closed at the bank. One moment, please.",
                               "正在向银行关闭本次支付，请稍候。"};
constexpr Message closing{
    "This payment is being closed at the bank. Until that is certain you can still finish it there, and nothing else "
    "is "
    "begun, so that you do not pay twice.",
    "正在向银行关闭本次支付。确认关闭前，您仍可完成该笔支付；为避免重复扣款，暂时不能更换支付方式。"};
constexpr Message refunded{"Your payment was refunded. The money goes back the way it came.",
                           "款项已退款，将原路退回。"};
constexpr Message refunded_in_part{"Payment received. Part of it was refunded.", "支付成功，部分款项已退款。"};
constexpr Message closed{"This order is closed and can't be paid any more.", "订单已关闭，无法再支付。"};
constexpr Message expired{"This page has expired. Please start again from the shop.",
                          "页面已过期，请返回商家重新发起支付。"};

std::int64_t refunded_of(Order const& order) {
  std::int64_t sum = 0;
  Attempt const* const paying = order.paying();
  for (Refund const& refund : order.refunds)
    if (paying && refund.attempt == paying->id && refund.state == RefundState::succeeded) sum += refund.amount.minor;
  return sum;
}

Attempt const* telling_attempt(Order const& order) {
  if (Attempt const* const live = order.live()) return live;
  if (Attempt const* const paying = order.paying()) return paying;
  return order.attempts.empty() ? nullptr : &order.attempts.back();
}

CheckoutMethod method_of(Attempt const& attempt, std::vector<CheckoutMethod> const& methods) {
  auto const at = std::ranges::find_if(methods, [&](CheckoutMethod const& one) {
    return one.provider == attempt.provider && one.method == attempt.method;
  });
  return at == methods.end() ? default_checkout_method(attempt.provider) : *at;
}

Situation paid_situation(Order const& order) {
  Attempt const* const paying = order.paying();
  if (paying && paying->state == AttemptState::disputed) return Situation::disputed;
  if (paying && paying->state == AttemptState::reversed) return Situation::reversed;
  return refunded_of(order) >= order.head.paid_minor ? Situation::refunded : Situation::paid;
}

Situation situation_of(Order const& order, bool has_expired, Time now) {
  Attempt const* const live = order.live();
  // The buyer has done what there is to do; the rest is the shop's.
  if (live && live->state == AttemptState::authorized && !live->cancel_requested) return Situation::paid;
  bool const needs_buyer = live && live->state == AttemptState::requires_action;
  if (needs_buyer && !live->cancel_requested) return Situation::action;
  if (needs_buyer && now < live->expires_at) return Situation::closing;
  if (live) return Situation::confirming;
  switch (order.head.state) {
    case OrderState::paid: return paid_situation(order);
    case OrderState::closed: return Situation::closed;
    case OrderState::open: return has_expired ? Situation::expired : Situation::ready;
  }
  return Situation::confirming;
}

Message message_of(CheckoutView const& view, Time now) {
  switch (view.situation) {
    case Situation::ready: return view.attempt ? message_for(view.attempt->state) : choose;
    case Situation::confirming:
      if (view.attempt->cancel_requested) return being_closed;
      return now - view.attempt->created_at < usual_confirmation ? message_for(AttemptState::unknown) : takes_long;
    case Situation::action: return message_for(AttemptState::requires_action);
    case Situation::closing: return closing;
    case Situation::paid: return view.refunded_minor > 0 ? refunded_in_part : message_for(view.attempt->state);
    case Situation::disputed:
    case Situation::reversed: return message_for(view.attempt->state);
    case Situation::refunded: return refunded;
    case Situation::closed: return closed;
    case Situation::expired: return expired;
  }
  return takes_long;
}

JsonObject method_json(CheckoutMethod const& method) {
  JsonObject object;
  object.put("id", method.id());
  object.put("name", message_object({method.name_en, method.name_zh}));
  return object;
}

JsonObject attempt_json(CheckoutView const& view) {
  Attempt const& attempt = *view.attempt;
  JsonObject object;
  object.put("id", attempt.id.value);
  object.put("state", to_text(attempt.state));
  object.put("method", message_object({view.method_name_en, view.method_name_zh}));
  if (waits_for_buyer(view.situation)) {
    object.put("action", to_text(view.action));
    object.put("action_url", attempt.action_url);
    object.put("expires_at", to_rfc3339(attempt.expires_at));
  }
  return object;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

}  // namespace

std::string_view to_text(Situation situation) {
  switch (situation) {
    case Situation::ready: return "ready";
    case Situation::confirming: return "confirming";
    case Situation::action: return "action";
    case Situation::closing: return "closing";
    case Situation::paid: return "paid";
    case Situation::refunded: return "refunded";
    case Situation::disputed: return "disputed";
    case Situation::reversed: return "reversed";
    case Situation::closed: return "closed";
    case Situation::expired: return "expired";
  }
  return {};
}

CheckoutView view_of(Order const& order, CheckoutGrant const& grant, CheckoutSettings const& settings, Time now) {
  CheckoutView view;
  auto const& methods = settings.methods_of(grant.key.merchant);
  bool const has_expired = grant.has_expired(now);
  view.situation = situation_of(order, has_expired, now);
  view.refunded_minor = refunded_of(order);
  if (Attempt const* const attempt = telling_attempt(order)) {
    CheckoutMethod const method = method_of(*attempt, methods);
    view.attempt = *attempt;
    view.action = method.action;
    view.method_name_en = method.name_en;
    view.method_name_zh = method.name_zh;
  }
  view.message = message_of(view, now);
  view.may_cancel = view.situation == Situation::action && !has_expired;
  if (view.situation == Situation::ready) view.methods = methods;
  if (view.may_cancel)
    std::ranges::copy_if(methods, std::back_inserter(view.methods), [&](CheckoutMethod const& method) {
      return method.provider != view.attempt->provider || method.method != view.attempt->method;
    });
  if (!view.methods.empty())
    view.offer = fmt::format("{}-{}-{}{}", order.attempts.size() + 1, order.head.amount.minor,
                             order.head.amount.currency.code(), view.may_cancel ? replace_mark : "");
  return view;
}

CheckoutState render_state(Order const& order, CheckoutView const& view, CheckoutGrant const& grant, Time now) {
  Money const amount = order.head.amount;
  JsonObject object;
  object.put("order_id", order.head.key.order.value);
  object.put("situation", to_text(view.situation));
  object.put("message", message_object(view.message));
  object.put("amount", amount.minor);
  object.put("currency", amount.currency.code());
  object.put("amount_text", to_decimal(amount));
  if (view.refunded_minor > 0) object.put("refunded_text", to_decimal({view.refunded_minor, amount.currency}));
  if (!view.offer.empty()) object.put("offer", view.offer);
  object.put_json("methods", json_array(view.methods, method_json));
  if (view.attempt) object.put("payment", attempt_json(view));
  object.put("may_cancel", view.may_cancel);
  if (!grant.return_url.empty()) object.put("return_url", grant.return_url);

  CheckoutState state;
  state.version = sha256_hex(object.text()).substr(0, version_digits);
  object.put("version", state.version);
  // The browser's clock may be wrong: it counts from this one.
  object.put("now", to_rfc3339(now));
  state.json = std::move(object).text();
  return state;
}

std::optional<Offer> parse_offer(std::string_view text) {
  bool const replaces = text.ends_with(replace_mark);
  if (replaces) text.remove_suffix(replace_mark.size());
  auto const first = text.find('-');
  auto const last = text.rfind('-');
  if (first == last) return std::nullopt;
  auto const number = whole_number(text.substr(0, first));
  auto const amount = whole_number(text.substr(first + 1, last - first - 1));
  auto const currency = Currency::parse(text.substr(last + 1));
  if (!number || *number > std::numeric_limits<int>::max() || !amount || !currency) return std::nullopt;
  return Offer{static_cast<int>(*number), *amount, std::string{currency->code()}, replaces};
}

std::string checkout_key(OrderId const& order, int number) {
  // The digest, since an id may hold what a key may not.
  return fmt::format("checkout-{}-{}", sha256_hex(order.value).substr(0, 32), number);
}

}  // namespace payonce
