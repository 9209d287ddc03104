#include "provider/stripe/notice.h"

#include <boost/json.hpp>

#include "provider/answers.h"
#include "provider/json_fields.h"
#include "provider/stripe/classify.h"

namespace payonce::stripe {

namespace {

namespace json = boost::json;

// A notice can't leave anything in doubt: a status we do not know means that there is something to ask about.
void settle_doubt(Answer& answer) {
  if (answer.outcome == Outcome::in_doubt) answer.outcome = Outcome::pending;
}

// https://docs.stripe.com/api/disputes/object. An inquiry (warning_…) takes no money.
constexpr StatusMeaning dispute_ends[] = {
    {"won", Outcome::dispute_won},
    {"lost", Outcome::dispute_lost},
    {"warning_closed", Outcome::pending},
    {"prevented", Outcome::pending},
};

// Which event it is says more than the status in it: one that comes late must not open a dispute that has ended.
Outcome outcome_of_dispute(std::string_view type, std::string_view status) {
  bool const is_inquiry = status.starts_with("warning_");
  if (type == "charge.dispute.closed") return outcome_in(dispute_ends, status);
  bool const takes_money = type == "charge.dispute.created" || type == "charge.dispute.funds_withdrawn";
  return takes_money && !is_inquiry ? Outcome::dispute_opened : Outcome::pending;
}

void read_object(Notice& notice, std::string_view type, json::object const& object, std::optional<bool> is_live) {
  std::string const kind = text_at(object, "object");
  if (kind == "payment_intent") {
    notice.number = metadata_at(object, payment_key);
    notice.answer = read_intent(object, is_live);
  } else if (kind == "refund") {
    notice.number = metadata_at(object, payment_key);
    notice.refund_number = metadata_at(object, refund_key);
    notice.answer = read_refund(object);
    if (notice.refund_number.empty()) {  // made in the dashboard, or by another system
      notice.number.clear();
      notice.about = text_at(object, "payment_intent");
      notice.refund_number = text_at(object, "id");
    }
  } else if (kind == "dispute") {
    notice.about = text_at(object, "payment_intent");
    notice.answer.outcome = outcome_of_dispute(type, text_at(object, "status"));
    notice.answer.text = json::serialize(object);
  }
  settle_doubt(notice.answer);
}

}  // namespace

Result<Notice> parse_event(std::string const& body, std::string_view account, std::optional<bool> is_live) {
  auto const event = parse_object(body);
  if (!event) return fail(ErrorCode::invalid_request, "the notice is not a JSON object");
  Notice notice;
  notice.event_id = text_at(*event, "id");
  auto const* data = object_at(*event, "data");
  auto const* object = data ? object_at(*data, "object") : nullptr;
  if (notice.event_id.empty() || !object)
    return fail(ErrorCode::invalid_request, "the notice is no event: it lacks id or data.object");
  std::string const type = text_at(*event, "type");
  read_object(notice, type, *object, is_live);
  notice.answer.code = type;
  std::string const named = text_at(*event, "account");
  if (!account.empty() && named != account) notice.answer.misfit = "the notice is about account " + named.substr(0, 64);
  return notice;
}

}  // namespace payonce::stripe
