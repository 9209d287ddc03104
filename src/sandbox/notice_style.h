// How notices look in one dialect: whom they name, where they go, what they say, how they are signed, what takes them.
// Not for: when they are sent and which faults they suffer (teller.h, notice.h).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "sandbox/notice.h"

namespace payonce::sandbox {

class NoticeStyle {
 public:
  virtual ~NoticeStyle() = default;

  // The merchant's account, as notices name it.
  virtual std::string account() const = 0;
  // Where this one goes; empty: the merchant gave no address, so none is sent.
  virtual std::string url(NoticeFacts const& facts) const = 0;
  // Empty if this provider tells nothing of the kind. `wrong_signature` is for signatures that stand in the body.
  virtual std::string body(NoticeFacts const& facts, bool wrong_signature) const = 0;
  // Content type and signature of one try, made now.
  virtual HttpHeaders headers(std::string const& body, bool wrong_signature) const = 0;
  // Whether the merchant's answer to a try ends the tries.
  virtual bool is_taken(HttpAnswer const& answer) const;
};

// The bank's own dialect.
class OwnNoticeStyle final : public NoticeStyle {
 public:
  // `url` empty: none are sent. The clock must outlive the style.
  OwnNoticeStyle(std::string account, std::string url, std::string secret, Clock const& clock);

  void set_url(std::string url) { url_ = std::move(url); }

  std::string account() const override { return account_; }
  std::string url(NoticeFacts const&) const override { return url_; }
  std::string body(NoticeFacts const& facts, bool wrong_signature) const override;
  HttpHeaders headers(std::string const& body, bool wrong_signature) const override;

 private:
  std::string const account_;
  std::string url_;
  std::string const secret_;
  Clock const& clock_;
};

// All styles by the name of their dialect, as of Charge::dialect. A name that is not there is the bank's own.
class NoticeStyles {
 public:
  explicit NoticeStyles(NoticeStyle const& own) : own_(own) {}

  void add(std::string_view dialect, NoticeStyle const& style) { by_dialect_.emplace(dialect, style); }
  NoticeStyle const& of(std::string_view dialect) const {
    auto const found = by_dialect_.find(dialect);
    return found == by_dialect_.end() ? own_ : found->second;
  }

 private:
  NoticeStyle const& own_;
  std::map<std::string, NoticeStyle const&, std::less<>> by_dialect_;
};

}  // namespace payonce::sandbox
