#include "provider/paypal/holds.h"

#include <boost/json.hpp>

#include "provider/answers.h"
#include "provider/json_fields.h"
#include "provider/paypal/classify.h"

namespace payonce::paypal {

namespace {

namespace json = boost::json;

// EXPIRED stands in older descriptions only. One that PayPal still calls CREATED after its time is over as well, since
// PayPal says itself until when it can be captured.
constexpr StatusMeaning authorization_statuses[] = {
    {"CREATED", Outcome::authorized}, {"PARTIALLY_CAPTURED", Outcome::authorized},
    {"PENDING", Outcome::pending},    {"CAPTURED", Outcome::succeeded},
    {"VOIDED", Outcome::declined},    {"DENIED", Outcome::declined},
    {"EXPIRED", Outcome::declined},
};

// The list of the order's payments of a kind; null if there is none.
json::array const* payments_in(json::object const& order, std::string_view kind) {
  auto const* unit = first_at(order, "purchase_units");
  auto const* payments = unit ? object_at(*unit, "payments") : nullptr;
  auto const* list = payments ? payments->if_contains(kind) : nullptr;
  return list ? list->if_array() : nullptr;
}

template <class Visit>
void each_payment(json::object const& order, std::string_view kind, Visit const& visit) {
  auto const* list = payments_in(order, kind);
  if (!list) return;
  for (json::value const& value : *list)
    if (value.is_object()) visit(value.get_object());
}

// All captures of a hold together.
struct Taken {
  std::optional<Money> sum;
  bool is_last = false;  // one of them said that no more follows
  bool is_open = false;  // one is still on its way
  bool is_clear = true;  // all of them could be read
  std::string misfit;
};

Taken taken_in(json::object const& order) {
  Taken taken;
  each_payment(order, "captures", [&](json::object const& capture) {
    Answer const answer = read_capture(capture);
    if (answer.outcome == Outcome::declined) return;
    auto const* last = capture.if_contains("final_capture");
    taken.is_last |= last && last->is_bool() && last->get_bool();
    taken.is_open |= answer.outcome == Outcome::pending;
    taken.is_clear &= answer.outcome != Outcome::in_doubt && (answer.outcome != Outcome::succeeded || answer.amount);
    if (answer.amount)
      taken.sum = Money{answer.amount->minor + (taken.sum ? taken.sum->minor : 0), answer.amount->currency};
    if (!answer.misfit.empty()) taken.misfit = answer.misfit;
  });
  return taken;
}

}  // namespace

bool holds(json::object const& order) { return text_at(order, "intent") == "AUTHORIZE"; }

json::object const* authorization_in(json::object const& order) {
  auto const* list = payments_in(order, "authorizations");
  return list && !list->empty() ? list->front().if_object() : nullptr;
}

Answer read_authorization(json::object const& authorization) {
  Answer answer;
  answer.code = text_at(authorization, "status");
  answer.outcome = outcome_in(authorization_statuses, answer.code);
  answer.amount = amount_in(authorization);
  if (auto const until = parse_rfc3339(text_at(authorization, "expiration_time"))) answer.hold_until = *until;
  answer.text = json::serialize(authorization);
  return answer;
}

Answer read_hold(json::object const& order, Time now) {
  Answer answer = read_authorization(*authorization_in(order));
  Taken const taken = taken_in(order);
  bool const is_past = answer.hold_until && now > *answer.hold_until + settling;
  bool const is_over = answer.outcome == Outcome::declined || answer.outcome == Outcome::succeeded ||
                       (answer.outcome == Outcome::authorized && (taken.is_last || is_past));
  if (!taken.is_clear) answer.outcome = Outcome::in_doubt;
  if (!is_over || !taken.is_clear) return answer;
  answer.misfit = taken.misfit;
  if (taken.is_open) {
    answer.outcome = Outcome::pending;
  } else if (taken.sum) {
    answer.outcome = Outcome::succeeded;
    answer.amount = taken.sum;
  } else {
    // CAPTURED, and no capture is shown.
    answer.outcome = answer.outcome == Outcome::succeeded ? Outcome::in_doubt : Outcome::declined;
  }
  return answer;
}

Answer read_held_capture(json::object const& capture) {
  Answer answer = read_capture(capture);
  answer.provider_ref = text_at(capture, "id");
  return answer;
}

Answer read_capture_of(json::object const& order, CaptureId const& id) {
  Answer answer;
  answer.outcome = Outcome::not_found;
  answer.code = "not_in_order";
  answer.text = json::serialize(order);
  each_payment(order, "captures", [&](json::object const& capture) {
    if (text_at(capture, "invoice_id") == id.value) answer = read_held_capture(capture);
  });
  return answer;
}

bool is_of_hold(json::object const& capture) {
  auto const* data = object_at(capture, "supplementary_data");
  auto const* related = data ? object_at(*data, "related_ids") : nullptr;
  bool const names_hold = related && !text_at(*related, "authorization_id").empty();
  return names_hold || link_in(capture, "up").find("/authorizations/") != std::string::npos;
}

bool has_captures(json::object const& order) {
  auto const* list = payments_in(order, "captures");
  return list && !list->empty();
}

RefundTarget target_of(json::object const& order, Refund const& refund) {
  RefundTarget target;
  int position = 0;
  auto const* list = payments_in(order, "captures");
  bool const is_only_one = list && list->size() == 1;
  each_payment(order, "captures", [&](json::object const& capture) {
    std::string const id = text_at(capture, "id");
    Answer const answer = read_capture(capture);
    ++position;
    if (!target.capture_id.empty()) return;
    std::int64_t left = answer.amount ? answer.amount->minor : 0;
    each_payment(order, "refunds", [&](json::object const& other) {
      bool const is_of_it = link_in(other, "up").ends_with("/" + id);
      Answer const given = read_refund(other);
      if (is_of_it && given.outcome != Outcome::declined && given.amount) left -= given.amount->minor;
    });
    if (!is_only_one && left < refund.amount.minor) return;
    target.capture_id = id;
    target.request_id = position == 1 ? refund.id.value : refund.id.value + "-" + std::to_string(position);
  });
  return target;
}

json::object const* refund_in(json::object const& order, RefundId const& id) {
  json::object const* found = nullptr;
  each_payment(order, "refunds", [&](json::object const& refund) {
    if (text_at(refund, "invoice_id") == id.value) found = &refund;
  });
  return found;
}

}  // namespace payonce::paypal
