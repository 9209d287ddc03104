// WeChat Pay's bill of a day: the trade bill with all kinds of lines
// (https://pay.weixin.qq.com/doc/v3/merchant/4012071229).
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http_client.h"
#include "payment/statement.h"
#include "provider/wechatpay/keys.h"

namespace payonce::wechatpay {

// CSV, perhaps packed by gzip. invalid_request, naming the line, if it is not a whole one of this day (Beijing's).
Result<Statement> read_statement(std::string_view file, std::string const& day);

// Where the bill is and what it hashes to.
struct BillAddress {
  std::string path;  // with its query, behind the host; empty if that day had no business
  std::string sha1_hex;
};
// unavailable if the answer does not say.
Result<BillAddress> bill_address(HttpAnswer const& answer, Keys const& keys, Time now);
// unavailable if the file is not the one that was promised.
Result<void> check_hash(std::string_view file, std::string_view sha1_hex);

}  // namespace payonce::wechatpay
