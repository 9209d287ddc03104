#include "sandbox/notice_style.h"

#include <utility>

namespace payonce::sandbox {

namespace {

constexpr std::string_view unknown_secret = "a secret that the merchant was never given";

}  // namespace

bool NoticeStyle::is_taken(HttpAnswer const& answer) const {
  return answer.delivery == Delivery::answered && answer.status >= 200 && answer.status < 300;
}

OwnNoticeStyle::OwnNoticeStyle(std::string account, std::string url, std::string secret, Clock const& clock)
    : account_(std::move(account)), url_(std::move(url)), secret_(std::move(secret)), clock_(clock) {}

std::string OwnNoticeStyle::body(NoticeFacts const& facts, bool /*wrong_signature*/) const {
  return notice_body(facts);
}

HttpHeaders OwnNoticeStyle::headers(std::string const& body, bool wrong_signature) const {
  std::string_view const secret = wrong_signature ? unknown_secret : std::string_view{secret_};
  return {{"Content-Type", "application/json"}, {"Sandbox-Signature", sign_notice(secret, clock_.now(), body)}};
}

}  // namespace payonce::sandbox
