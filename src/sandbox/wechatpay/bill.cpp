// The trade bill of a day, with all kinds of lines: its address and hash, then the file.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <boost/json.hpp>

#include "base/crypto.h"
#include "sandbox/beijing.h"
#include "sandbox/bill.h"
#include "sandbox/long_number.h"
#include "sandbox/wechatpay/wechatpay_dialect.h"

namespace payonce::sandbox::wechatpay {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view columns =
    "\xEF\xBB\xBF交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,"
    "付款银行,"
    "货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,"
    "商户数据包,手续费,费率,订单金额,申请退款金额,费率备注\r\n";
constexpr std::string_view sums =
    "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额\r\n";

std::string yuan(std::int64_t fen) {
  return fmt::format("{}{}.{:02}", fen < 0 ? "-" : "", std::abs(fen) / 100, std::abs(fen) % 100);
}

std::string sha1_hex(std::string const& text) {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(digest.data()), &size, EVP_sha1(), nullptr);
  digest.resize(size);
  return hex_encode(digest);
}

}  // namespace

std::string WechatpayDialect::bill(std::string const& day) const {
  Time const midnight = *parse_day(day) - 8h;
  Bank const& bank = parts_.ledger.bank();
  std::string text{columns};
  std::size_t count = 0;
  for (BillLine const& line : bill_of(bank, name(), midnight, midnight + 24h)) {
    std::string const paid = yuan(line.is_refund ? 0 : line.amount_minor);
    std::string const back = yuan(line.is_refund ? line.amount_minor : 0);
    text += fmt::format(
        "`{},`wx0000000000000001,`{},`0,`,`{},`{},`oSandboxBuyer,`NATIVE,`{},`OTHERS,`CNY,`{},`0.00,`{},`{},`{},`0.00,"
        "`{},`{},`Order {}, as it was named,`,`{}000,`0.60%,`{},`{},`\r\n",
        to_beijing(line.at), keys_.mchid, long_number(bank.query(line.number).charge), line.number,
        line.is_refund ? "REFUND" : "SUCCESS", paid, line.is_refund ? "5" + line.id : "0",
        line.is_refund ? line.refund_number : "0", back, line.is_refund ? "ORIGINAL" : "",
        line.is_refund ? "SUCCESS" : "", line.order, yuan(line.fee_minor), paid, back);
    ++count;
  }
  if (count == 0) return {};
  return text + std::string{sums} + fmt::format("`{},`0.00,`0.00,`0.00,`0.00,`0.00,`0.00\r\n", count);
}

HttpResponse WechatpayDialect::bill_address(Target const& target) const {
  std::string const day{target.parameter("bill_date").value_or("")};
  if (!parse_day(day) || target.parameter("bill_type").value_or("ALL") != "ALL")
    return error_response(400, "PARAM_ERROR", "bill_date must be a day, bill_type ALL");
  std::string const file = bill(day);
  if (file.empty()) return error_response(400, "NO_STATEMENT_EXIST", "账单文件不存在");
  return json_response(200, {{"hash_type", "SHA1"},
                             {"hash_value", sha1_hex(file)},
                             {"download_url", parts_.base_url + "/v3/billdownload/file?token=" + day}});
}

HttpResponse WechatpayDialect::bill_file(Target const& target) const {
  std::string const day{target.parameter("token").value_or("")};
  if (!parse_day(day)) return error_response(400, "INVALID_REQUEST", "the token is over");
  return {.status = 200, .headers = {{"Content-Type", "text/plain"}}, .body = bill(day)};
}

}  // namespace payonce::sandbox::wechatpay
