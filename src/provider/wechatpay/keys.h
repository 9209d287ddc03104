// The keys of a WeChat Pay merchant: ours to sign with, WeChat Pay's to check with. Its public key and its platform
// certificates are held side by side, since it moves from the ones to the other message by message; each message names
// its key (https://pay.weixin.qq.com/docs/partner/products/platform-certificate/update-pub-key.html).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/certificate.h"
#include "base/rsa.h"
#include "net/http_message.h"
#include "provider/parsed_secret.h"
#include "provider/settings.h"

namespace payonce::wechatpay {

class Keys {
 public:
  explicit Keys(ProviderSettings const& settings);

  // What is missing or can't be read, as a sentence that names the setting; empty if all is well.
  std::string problem() const;

  // Base64, over the text with our key.
  std::string sign(std::string_view text) const;
  // The key that answers should be signed with, as it is named in a request.
  std::string answer_key_id() const;
  // Whether WeChat Pay signed this body with these headers, within five minutes of now. Nothing else is checked.
  // signature_invalid otherwise, with the reason.
  Result<void> check(HttpHeaders const& headers, std::string_view body, Time now) const;
  // The text of an encrypted part of a message; nothing unless it was sealed with our key.
  std::optional<std::string> open(std::string_view nonce, std::string_view aad, std::string_view sealed_base64) const;

 private:
  using Chain = ParsedSecret<std::vector<Certificate>>;

  // Null if we do not have it.
  RsaPublicKey const* find(std::string_view id) const;

  ParsedSecret<RsaPrivateKey> private_key_;
  Secret const api_v3_key_;
  std::string const public_key_id_;
  ParsedSecret<RsaPublicKey> public_key_;
  std::vector<Chain> platform_certificates_;
};

}  // namespace payonce::wechatpay
