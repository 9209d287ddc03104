// The keys of a WeChat Pay merchant: ours to sign with, WeChat Pay's to check with. Its public key and its platform
// certificates are held side by side, since it moves from the ones to the other message by message; each message names
// its key (https://pay.weixin.qq.com/docs/partner/products/platform-certificate/update-pub-key.html).
#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <memory>
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
  // Whether we could check what is signed by the key of this name.
  bool has(std::string_view id) const { return find(id) != nullptr; }
  // Takes over the platform certificates in an answer to GET /v3/certificates: all of them must be sealed with our key
  // and valid now, and one that we have then must have signed the answer. signature_invalid otherwise, and nothing is
  // taken.
  Result<void> take_certificates(HttpHeaders const& headers, std::string const& body, Time now) const;
  // The text of an encrypted part of a message; nothing unless it was sealed with our key.
  std::optional<std::string> open(std::string_view nonce, std::string_view aad, std::string_view sealed_base64) const;

 private:
  using Chain = ParsedSecret<std::vector<Certificate>>;

  Result<Certificate> open_certificate(boost::json::object const& entry, Time now) const;
  // Null if we do not have it.
  RsaPublicKey const* find(std::string_view id) const;

  ParsedSecret<RsaPrivateKey> private_key_;
  Secret const api_v3_key_;
  std::string const public_key_id_;
  ParsedSecret<RsaPublicKey> public_key_;
  std::vector<Chain> platform_certificates_;
  std::shared_ptr<std::map<std::string, Certificate, std::less<>>> const downloaded_;  // by serial
};

}  // namespace payonce::wechatpay
