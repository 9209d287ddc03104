// Alipay's bill of a day: the "trade" bill (业务明细), CSV in GBK inside a ZIP archive
// (https://opendocs.alipay.com/open/204/105301).
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http_client.h"
#include "payment/statement.h"
#include "provider/alipay/keys.h"

namespace payonce::alipay {

// The archive as Alipay gives it, or the CSV out of it. invalid_request, naming the line, if it is not a whole one of
// this day (Beijing's).
Result<Statement> read_statement(std::string_view file, std::string const& day);

// Where the bill is, as the gateway answered; empty if that day had no business. unavailable if it does not say.
Result<std::string> bill_address(HttpAnswer const& answer, std::string_view response_key, Keys const& keys);

}  // namespace payonce::alipay
