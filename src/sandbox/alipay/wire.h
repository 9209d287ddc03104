// The small parts of Alipay's gateway: parameters and what is signed over them, answers, amounts. Pure.
// Source: the request and answer rules of opendocs.alipay.com/common/02kf5q and 02mse3, and alipay-sdk for Node.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "net/http_message.h"
#include "sandbox/keys/merchant_keys.h"

namespace payonce::sandbox::alipay {

// By name, which is the order in which they are signed.
using Parameters = std::map<std::string, std::string, std::less<>>;

std::string_view value_of(Parameters const& parameters, std::string_view name);

// What a request signs: all but `sign` that is not empty. What a notice signs: all but `sign` and `sign_type`, with the
// empty ones.
std::string request_text(Parameters const& parameters);
std::string notice_text(Parameters const& parameters);

// The result of a call: a code of the gateway, and what it brings.
struct CallResult {
  std::string_view code = "10000";
  std::string_view sub_code = {};
  boost::json::object fields = {};
};
inline CallResult failed(std::string_view sub_code) { return {.code = "40004", .sub_code = sub_code}; }

// The signed answer to a method; in certificate mode it names the certificate.
HttpResponse answer(std::string_view method, CallResult result, AlipayKeys const& keys, bool with_certificate);
// What the gateway says before it knows whom it speaks to; not signed.
HttpResponse refused(std::string_view code, std::string_view sub_code);
// 500 or 503: a page of a proxy.
HttpResponse failure(int status);

// "88.88", from 0.01 to 100000000.00, as fen, and back.
std::optional<std::int64_t> parse_yuan(std::string_view text);
std::string to_yuan(std::int64_t fen);

}  // namespace payonce::sandbox::alipay
