// Alipay's asynchronous notices: a form, signed over its decoded values
// (https://opendocs.alipay.com/open/203/105286).
#pragma once

#include <string>
#include <string_view>

#include "provider/alipay/keys.h"
#include "provider/provider.h"

namespace payonce::alipay {

// signature_invalid unless Alipay signed these values; invalid_request if the form can't be read. A notice of another
// application or, when `seller` is set, of another seller does not fit.
Result<Notice> read_notice(std::string const& body, Keys const& keys, std::string_view app_id, std::string_view seller);

}  // namespace payonce::alipay
