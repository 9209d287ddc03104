// WeChat Pay (APIv3) as its documents describe it: https://pay.weixin.qq.com/doc/v3/merchant/4012365339 and the pages
// of each call.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <memory>
#include <stdexcept>

#include "base/crypto.h"
#include "base/rsa.h"
#include "connectors/specimens.h"
#include "payment/call_kind.h"
#include "support/rsa_keys.h"

namespace payonce::test {

namespace {

constexpr int our_key = 1;
constexpr int wechat_key = 2;
constexpr std::string_view api_v3_key = "0123456789abcdef0123456789abcdef";
constexpr std::string_view key_id = "PUB_KEY_ID_0000000000000024101100397200000006";

HttpHeaders signature_of(std::string_view body, Time now) {
  std::string const time = std::to_string(to_epoch_ms(now) / 1'000);
  std::string const nonce = "fdasflkja484w";
  std::string const text = fmt::format("{}\n{}\n{}\n", time, nonce, body);
  return {{"Wechatpay-Timestamp", time},
          {"Wechatpay-Nonce", nonce},
          {"Wechatpay-Serial", std::string{key_id}},
          {"Wechatpay-Signature",
           base64_encode(RsaPrivateKey::parse(rsa_keys(wechat_key).private_pem)->sign_sha256(text))}};
}

// As WeChat Pay encrypts: the tag behind the text, all of it in base64.
std::string seal(std::string_view nonce, std::string_view aad, std::string_view plain) {
  auto const bytes = [](std::string_view text) { return reinterpret_cast<unsigned char const*>(text.data()); };
  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> const context{EVP_CIPHER_CTX_new(),
                                                                                EVP_CIPHER_CTX_free};
  std::string sealed(plain.size() + 16, '\0');
  auto* const out = reinterpret_cast<unsigned char*>(sealed.data());
  int size = 0;
  bool const is_sealed =
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytes(api_v3_key), bytes(nonce)) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &size, bytes(aad), static_cast<int>(aad.size())) == 1 &&
      EVP_EncryptUpdate(context.get(), out, &size, bytes(plain), static_cast<int>(plain.size())) == 1 &&
      EVP_EncryptFinal_ex(context.get(), out + size, &size) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, 16, out + plain.size()) == 1;
  if (!is_sealed) throw std::runtime_error("the specimen can't encrypt");
  return base64_encode(sealed);
}

std::string order(Standing standing, ProviderCall const& call) {
  std::string_view const state = standing == Standing::open     ? "NOTPAY"
                                 : standing == Standing::closed ? "CLOSED"
                                                                : "SUCCESS";
  return fmt::format(
      R"({{"appid":"wxd678efh567hg6787","mchid":"1230000109","out_trade_no":"{}","transaction_id":"4200000000",)"
      R"("trade_type":"NATIVE","trade_state":"{}","trade_state_desc":"支付","attach":"native",)"
      R"("amount":{{"total":{},"payer_total":1,"currency":"CNY","payer_currency":"CNY"}}}})",
      standing == Standing::other_number ? "pay_other" : call.attempt.id.value, state, call.attempt.amount.minor);
}

std::string refund(Standing standing, ProviderCall const& call) {
  return fmt::format(R"({{"refund_id":"50000000","out_refund_no":"{}","out_trade_no":"{}","status":"SUCCESS",)"
                     R"("amount":{{"total":{},"refund":{},"payer_refund":1,"currency":"CNY"}}}})",
                     standing == Standing::other_number ? "ref_other" : call.refund->id.value, call.attempt.id.value,
                     call.attempt.amount.minor, call.refund->amount.minor);
}

HttpResponse error(int status, std::string_view code) {
  return {.status = status, .body = fmt::format(R"({{"code":"{}","message":"…"}})", code)};
}

class WechatPaySpecimen final : public Specimen {
 public:
  std::string kind() const override { return "wechatpay"; }
  std::string method() const override { return "native"; }
  bool names_number(CallKind kind) const override { return kind != CallKind::create; }

  ProviderSettings settings(std::string const& url) const override {
    ProviderSettings settings;
    settings.url = url;
    settings.options = {{"app_id", {"wxd678efh567hg6787"}},
                        {"mch_id", {"1230000109"}},
                        {"merchant_serial", {"5157F09EFDC096DE15EBE81A47057A7232F1B8E1"}},
                        {"private_key", {rsa_keys(our_key).private_pem}},
                        {"api_v3_key", {std::string{api_v3_key}}},
                        {"public_key_id", {std::string{key_id}}},
                        {"public_key", {rsa_keys(wechat_key).public_pem}},
                        {"notify_url", {"https://shop.example/v1/notices/it"}}};
    return settings;
  }

  HttpResponse answer(Standing standing, ProviderCall const& call, Time now) const override {
    HttpResponse response = unsigned_answer(standing, call);
    response.headers = signature_of(response.body, now);
    return response;
  }

  HttpRequest notice(Standing standing, ProviderCall const& call, Time now) const override {
    constexpr std::string_view nonce = "fdasflkja484";
    std::string const body =
        fmt::format(R"({{"id":"EV-2018022511223320873","create_time":"2026-01-05T10:00:00+08:00",)"
                    R"("event_type":"TRANSACTION.SUCCESS",)"
                    R"("resource_type":"encrypt-resource","resource":{{"original_type":"transaction",)"
                    R"("algorithm":"AEAD_AES_256_GCM",)"
                    R"("ciphertext":"{}","associated_data":"transaction","nonce":"{}"}}}})",
                    seal(nonce, "transaction", order(standing, call)), nonce);
    return {.method = "POST", .target = "/v1/notices/it", .headers = signature_of(body, now), .body = body};
  }

  HttpResponse acknowledgement() const override { return {.status = 204}; }
  std::vector<std::string> secrets() const override {
    return {std::string{api_v3_key}, rsa_keys(our_key).private_pem.substr(60, 40)};
  }

 private:
  static HttpResponse unsigned_answer(Standing standing, ProviderCall const& call) {
    if (standing == Standing::not_taken) return error(401, "SIGN_ERROR");
    if (standing == Standing::absent)
      return error(404, is_about_refund(call.kind) ? "RESOURCE_NOT_EXISTS" : "ORDER_NOT_EXIST");
    switch (call.kind) {
      case CallKind::create: return {.body = R"({"code_url":"weixin://wxpay/bizpayurl?pr=p4lpSuKzz"})"};
      case CallKind::query: return {.body = order(standing, call)};
      case CallKind::close:
        return standing == Standing::closed ? HttpResponse{.status = 204} : error(403, "TRADE_ERROR");
      case CallKind::refund:
      case CallKind::query_refund: return {.body = refund(standing, call)};
      case CallKind::capture:
      case CallKind::query_capture: break;
    }
    return {};
  }
};

}  // namespace

std::shared_ptr<Specimen const> wechatpay_specimen() { return std::make_shared<WechatPaySpecimen>(); }

}  // namespace payonce::test
