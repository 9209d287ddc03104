// What the gateway's answers mean. Not for: sending (alipay_provider.cpp) or the codes themselves (codes.h).
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "payment/command.h"
#include "payment/decision.h"
#include "provider/alipay/keys.h"

namespace payonce::alipay {

// "alipay.trade.query" -> "alipay_trade_query_response"
std::string response_key_of(std::string_view method);

// A trade's status, from an answer to a question or from a notice.
Outcome outcome_of_trade(std::string_view trade_status);

// The meaning of the answer to the gateway's call `method`, made for `call`. An answer that Alipay did not sign proves
// nothing, but that a create was refused before anything was done.
Answer classify(ProviderCall const& call, std::string_view method, HttpAnswer const& answer, Keys const& keys);

}  // namespace payonce::alipay
