// What WeChat Pay's answers and decrypted notices mean. Not for: sending (wechatpay_provider.cpp), or the codes
// (codes.h).
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "net/http_client.h"
#include "payment/command.h"
#include "payment/decision.h"
#include "provider/wechatpay/keys.h"

namespace payonce::wechatpay {

// Whom an order must belong to.
struct Owner {
  std::string app_id;
  std::string mch_id;
};

// An order or a refund as it stands, in an answer or in a notice.
Answer read_order(boost::json::object const& order, Owner const& owner);
Answer read_refund(boost::json::object const& refund, std::string_view status_key);

// The meaning of the answer to `call`, or to a question that was asked for it (`is_question`). One that WeChat Pay did
// not sign proves nothing, but that a create was refused before anything was done. A create that was taken is
// requires_action; what the buyer needs is in its text.
Answer classify(ProviderCall const& call, bool is_question, HttpAnswer const& answer, Keys const& keys,
                Owner const& owner, Time now);

std::optional<boost::json::object> parse_object(std::string const& text);

}  // namespace payonce::wechatpay
