#include "provider/stripe/notice.h"

#include "provider/json_fields.h"
#include "provider/stripe/classify.h"

namespace payonce::stripe {

namespace {

namespace json = boost::json;

// A notice can't leave anything in doubt: a status we do not know means that there is something to ask about.
void settle_doubt(Answer& answer) {
  if (answer.outcome == Outcome::in_doubt) answer.outcome = Outcome::pending;
}

void read_object(Notice& notice, json::object const& object, std::optional<bool> is_live) {
  std::string const kind = text_at(object, "object");
  if (kind == "payment_intent") {
    notice.number = metadata_at(object, payment_key);
    notice.answer = read_intent(object, is_live);
  } else if (kind == "refund" && !metadata_at(object, refund_key).empty()) {
    notice.number = metadata_at(object, payment_key);
    notice.refund_number = metadata_at(object, refund_key);
    notice.answer = read_refund(object);
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
  read_object(notice, *object, is_live);
  notice.answer.code = text_at(*event, "type");
  std::string const named = text_at(*event, "account");
  if (!account.empty() && named != account) notice.answer.misfit = "the notice is about account " + named.substr(0, 64);
  return notice;
}

}  // namespace payonce::stripe
