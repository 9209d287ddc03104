#include "sandbox/wechatpay/wechatpay_dialect.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>
#include <map>
#include <utility>

#include "base/crypto.h"
#include "base/id.h"
#include "sandbox/json_reader.h"

namespace payonce::sandbox::wechatpay {

namespace json = boost::json;

namespace {

constexpr std::string_view scheme = "WECHATPAY2-SHA256-RSA2048 ";
constexpr std::chrono::seconds clock_skew_max{300};

// name="value" pairs, in any order.
std::map<std::string, std::string, std::less<>> pairs_of(std::string_view text) {
  std::map<std::string, std::string, std::less<>> pairs;
  while (!text.empty()) {
    std::size_t const equals = text.find("=\"");
    if (equals == std::string_view::npos) break;
    std::size_t const end = text.find('"', equals + 2);
    if (end == std::string_view::npos) break;
    pairs[std::string{text.substr(0, equals)}] = text.substr(equals + 2, end - equals - 2);
    text.remove_prefix(end + 1);
    while (text.starts_with(',') || text.starts_with(' ')) text.remove_prefix(1);
  }
  return pairs;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.size() < 12 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

HttpResponse json_response(int status, json::object const& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

HttpResponse error_response(int status, std::string_view code, std::string_view message) {
  return json_response(status, {{"code", code}, {"message", message}});
}

HttpResponse failure(int status) { return error_response(status, "SYSTEM_ERROR", "系统异常，请用相同参数重新调用"); }

WechatpayDialect::WechatpayDialect(DialectParts parts, WechatpayKeys keys)
    : parts_(std::move(parts)), keys_(std::move(keys)) {}

bool WechatpayDialect::understands(HttpRequest const&, Target const& target) const {
  return !target.segments.empty() && target.segments[0] == "v3";
}

void WechatpayDialect::handle(HttpRequest const& request, Target const& target, Respond respond) {
  // The merchant says with which key it wants its answers signed.
  if (auto const serial = request.header("Wechatpay-Serial")) uses_public_key_ = *serial == keys_.public_key_id;
  bool const is_bill = target.segments.size() == 3 && target.segments[1] == "billdownload" && request.method == "GET";
  // The only thing that WeChat Pay does not sign.
  if (is_bill && is_signed_by_merchant(request)) return respond(bill_file(target));
  Respond answer = [this, respond = std::move(respond)](HttpResponse response) mutable {
    respond(response.status >= 500 || response.drop ? std::move(response) : sign(std::move(response)));
  };
  if (!is_signed_by_merchant(request)) return answer(error_response(401, "SIGN_ERROR", "签名错误"));
  auto body = parse_object(request.body.empty() ? std::string_view{"{}"} : std::string_view{request.body});
  if (!body) return answer(error_response(400, "PARAM_ERROR", "the body is not a JSON object"));

  auto const& path = target.segments;
  bool const get = request.method == "GET";
  bool const post = request.method == "POST";
  bool const is_order = path.size() >= 4 && path[1] == "pay" && path[2] == "transactions";
  bool const is_refund = path.size() >= 4 && path[1] == "refund" && path[2] == "domestic" && path[3] == "refunds";
  if (is_order && path.size() == 4 && post) return create(path[3], std::move(*body), std::move(answer));
  if (is_order && path.size() == 5 && get) {
    bool const is_ours = path[3] == "out-trade-no";
    std::string const* const known = is_ours ? nullptr : parts_.ledger.find("wechatpay.transaction", path[4]);
    return query(target, is_ours ? path[4] : known == nullptr ? std::string{} : *known, std::move(answer));
  }
  if (is_order && path.size() == 6 && path[3] == "out-trade-no" && path[5] == "close" && post)
    return close(path[4], *body, std::move(answer));
  if (is_refund && path.size() == 4 && post) return refund(std::move(*body), std::move(answer));
  if (is_refund && path.size() == 5 && get) return query_refund(path[4], std::move(answer));
  if (path.size() == 2 && path[1] == "certificates" && get) return answer(certificates());
  if (path.size() == 3 && path[1] == "bill" && path[2] == "tradebill" && get) return answer(bill_address(target));
  answer(error_response(404, "RESOURCE_NOT_EXISTS", "no such interface"));
}

bool WechatpayDialect::is_signed_by_merchant(HttpRequest const& request) const {
  auto const header = request.header("Authorization");
  if (!header || !header->starts_with(scheme)) return false;
  auto pairs = pairs_of(header->substr(scheme.size()));
  std::string const& at = pairs["timestamp"];
  if (pairs["mchid"] != keys_.mchid || pairs["serial_no"] != keys_.merchant_serial || !is_digits(at)) return false;
  if (pairs["nonce_str"].empty() || pairs["nonce_str"].size() > 32) return false;
  std::int64_t seconds = 0;
  std::from_chars(at.data(), at.data() + at.size(), seconds);
  if (std::chrono::abs(parts_.clock.now() - from_epoch_ms(seconds * 1000)) > clock_skew_max) return false;
  std::string const text =
      fmt::format("{}\n{}\n{}\n{}\n{}\n", request.method, request.target, at, pairs["nonce_str"], request.body);
  auto const raw = base64_decode(pairs["signature"]);
  return raw && keys_.merchant_key.verify(text, *raw);
}

void WechatpayDialect::serve(Call call, std::string const& number, std::string order, Operation operation,
                             Respond respond) {
  parts_.teller.serve({call, number, std::move(order), failure}, std::move(operation), std::move(respond));
}

HttpResponse WechatpayDialect::sign(HttpResponse response) const {
  for (HttpHeader& header : signature(response.body, false)) response.headers.push_back(std::move(header));
  return response;
}

HttpHeaders WechatpayDialect::signature(std::string const& body, bool wrong_signature) const {
  std::string const at = std::to_string(to_epoch_ms(parts_.clock.now()) / 1000);
  std::string const nonce = mint_suffix(parts_.clock.now(), parts_.random);
  RsaKey const& key = uses_public_key_ ? keys_.wechatpay_key : keys_.platform_key;
  std::string const raw = base64_encode(key.sign(fmt::format("{}\n{}\n{}\n", at, nonce, body)));
  // WeChat Pay probes its merchants with signatures of this shape, which are wrong on purpose.
  return {{"Wechatpay-Timestamp", at},
          {"Wechatpay-Nonce", nonce},
          {"Wechatpay-Signature", wrong_signature ? "WECHATPAY/SIGNTEST/" + raw : raw},
          {"Wechatpay-Signature-Type", "WECHATPAY2-SHA256-RSA2048"},
          {"Wechatpay-Serial", uses_public_key_ ? keys_.public_key_id : keys_.platform_serial},
          {"Request-ID", mint_suffix(parts_.clock.now(), parts_.random)}};
}

}  // namespace payonce::sandbox::wechatpay
