#include "provider/wechatpay/notice.h"

#include <boost/json.hpp>

#include "provider/json_fields.h"

namespace payonce::wechatpay {

namespace {

namespace json = boost::json;

// What is inside, or nothing.
std::optional<json::object> open_resource(json::object const& envelope, Keys const& keys) {
  auto const* found = envelope.if_contains("resource");
  auto const* resource = found ? found->if_object() : nullptr;
  if (!resource || text_at(*resource, "algorithm") != "AEAD_AES_256_GCM") return std::nullopt;
  auto const text =
      keys.open(text_at(*resource, "nonce"), text_at(*resource, "associated_data"), text_at(*resource, "ciphertext"));
  return text ? parse_object(*text) : std::nullopt;
}

// Nothing that a notice says is in doubt: an unknown state means that there is something to ask about.
void settle_doubt(Answer& answer) {
  if (answer.outcome == Outcome::in_doubt) answer.outcome = Outcome::pending;
}

}  // namespace

Result<Notice> read_notice(HttpRequest const& request, Keys const& keys, Owner const& owner, Time now) {
  if (auto const checked = keys.check(request.headers, request.body, now); !checked)
    return std::unexpected(checked.error());
  auto const envelope = parse_object(request.body);
  if (!envelope) return fail(ErrorCode::invalid_request, "the notice is not a JSON object");
  auto const content = open_resource(*envelope, keys);
  if (!content) return fail(ErrorCode::invalid_request, "the notice can't be opened with api_v3_key");

  Notice notice;
  notice.event_id = text_at(*envelope, "id");
  if (notice.event_id.empty()) return fail(ErrorCode::invalid_request, "the notice lacks its id");
  std::string const type = text_at(*envelope, "event_type");
  if (type.starts_with("TRANSACTION.")) {
    notice.number = text_at(*content, "out_trade_no");
    notice.answer = read_order(*content, owner);
  } else if (type.starts_with("REFUND.")) {
    notice.number = text_at(*content, "out_trade_no");
    notice.refund_number = text_at(*content, "out_refund_no");
    notice.answer = read_refund(*content, "refund_status");
    if (notice.answer.code == "ABNORMAL")
      notice.answer.misfit = "the refund can't reach the buyer's account; choose another way in the merchant console";
    if (text_at(*content, "mchid") != owner.mch_id)
      notice.answer.misfit = "the notice is about merchant " + text_at(*content, "mchid").substr(0, 32);
  }
  settle_doubt(notice.answer);
  notice.answer.code = type;
  return notice;
}

}  // namespace payonce::wechatpay
