// WeChat Pay's notices: an encrypted resource in a signed envelope.
// Source: pay.weixin.qq.com, payment-notice and refund-notice of APIv3.
#include <boost/json.hpp>

#include "base/crypto.h"
#include "sandbox/beijing.h"
#include "sandbox/keys/aes_gcm.h"
#include "sandbox/wechatpay/wechatpay_dialect.h"

namespace payonce::sandbox::wechatpay {

namespace json = boost::json;

std::string WechatpayDialect::url(NoticeFacts const& facts) const {
  if (!facts.refund_number.empty()) {
    std::string const* const notify_url = parts_.ledger.find("wechatpay.refund", facts.refund_number);
    return notify_url == nullptr ? std::string{} : *notify_url;
  }
  Order const order = find(facts.about);
  if (!order.exists()) return {};
  return std::string{order.record.at("request").at("notify_url").as_string()};
}

// Only money that moved is told of.
std::string WechatpayDialect::body(NoticeFacts const& facts, bool /*wrong_signature*/) const {
  Order const order = find(facts.about);
  if (facts.status != "succeeded" || !order.exists()) return {};
  bool const is_refund = !facts.refund_number.empty();
  json::object told;
  if (is_refund) {
    told = refund_object(parts_.ledger.bank().query_refund(facts.refund_number).refund, Fault::none);
    told["refund_status"] = told.at("status");
    told.erase("status");
    told["amount"].as_object()["refund"] = facts.amount_minor;
  } else {
    told = order_object(order, Fault::none);
    told["amount"].as_object()["total"] = facts.amount_minor;
  }
  told["amount"].as_object()["currency"] = facts.currency;
  told["mchid"] = facts.account;
  told["out_trade_no"] = facts.number;

  std::string_view const original_type = is_refund ? "refund" : "transaction";
  std::string const nonce = sha256_hex(facts.id).substr(0, 12);
  json::object const resource{
      {"original_type", original_type},
      {"algorithm", "AEAD_AES_256_GCM"},
      {"ciphertext", encrypt_aes_gcm(keys_.api_v3_key, nonce, original_type, json::serialize(told))},
      {"associated_data", original_type},
      {"nonce", nonce}};
  return json::serialize(json::object{{"id", facts.id},
                                      {"create_time", to_beijing_rfc3339(facts.created_at)},
                                      {"event_type", is_refund ? "REFUND.SUCCESS" : "TRANSACTION.SUCCESS"},
                                      {"resource_type", "encrypt-resource"},
                                      {"summary", is_refund ? "退款成功" : "支付成功"},
                                      {"resource", resource}});
}

HttpHeaders WechatpayDialect::headers(std::string const& body, bool wrong_signature) const {
  HttpHeaders headers = signature(body, wrong_signature);
  headers.push_back({"Content-Type", "application/json"});
  return headers;
}

}  // namespace payonce::sandbox::wechatpay
