// The gateway's answer taken apart without touching the bytes that are signed: {"x_response":{…},"sign":"…"}
// (https://opendocs.alipay.com/common/02mse3).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace payonce::alipay {

struct Envelope {
  std::string_view object;  // from its "{" to its "}", exactly as it came; a part of the text that was read
  std::string sign;         // empty if there is none
  std::string serial;       // of the certificate that signed, in certificate mode
};

// The object under `response_key`, or under "error_response", which the gateway sends before it looks at the call.
// Nothing if the text is not JSON or holds neither.
std::optional<Envelope> open_envelope(std::string_view text, std::string_view response_key);

}  // namespace payonce::alipay
