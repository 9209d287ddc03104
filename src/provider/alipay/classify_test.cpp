// The whole table of codes, every status, and what makes an answer count.
#include "provider/alipay/classify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "base/crypto.h"
#include "provider/alipay/codes.h"
#include "provider/alipay/envelope.h"
#include "support/rsa_keys.h"
#include "support/rules_world.h"

namespace payonce::alipay {
namespace {

constexpr CallKind kinds[] = {CallKind::create, CallKind::query, CallKind::close, CallKind::refund,
                              CallKind::query_refund};

std::string_view method_of(CallKind kind) {
  switch (kind) {
    case CallKind::create: return "alipay.trade.precreate";
    case CallKind::query: return "alipay.trade.query";
    case CallKind::close: return "alipay.trade.close";
    case CallKind::refund: return "alipay.trade.refund";
    case CallKind::query_refund: return "alipay.trade.fastpay.refund.query";
    case CallKind::capture:
    case CallKind::query_capture: break;
  }
  return "";
}

Keys const& keys() {
  static Keys const made = [] {
    ProviderSettings settings;
    settings.options = {{"private_key", {test::rsa_keys(1).private_pem}},
                        {"alipay_public_keys", {test::rsa_keys(3).public_pem, test::rsa_keys(2).public_pem}}};
    return Keys{settings};
  }();
  return made;
}

ProviderCall call_of(CallKind kind, bool is_first = true) {
  ProviderCall call{kind, payonce::order_key(), attempt_in(AttemptState::processing, 1), {}, is_first};
  if (kind == CallKind::refund || kind == CallKind::query_refund) {
    call.refund = Refund{.id = refund_id(1), .amount = cny(500)};
    call.refund->tries = is_first ? 0 : 1;
  }
  return call;
}

std::string signed_body(std::string_view key, std::string const& object) {
  static RsaPrivateKey const alipay = *RsaPrivateKey::parse(test::rsa_keys(2).private_pem);
  return fmt::format(R"({{"{}":{},"sign":"{}"}})", key, object, base64_encode(alipay.sign_sha256(object)));
}

Answer read(CallKind kind, std::string body, bool is_first = true) {
  return classify(call_of(kind, is_first), method_of(kind),
                  {.delivery = Delivery::answered, .status = 200, .body = std::move(body)}, keys());
}

Answer meaning(CallKind kind, std::string const& object, bool is_first = true) {
  return read(kind, signed_body(response_key_of(method_of(kind)), object), is_first);
}

std::string object_with_code(std::string_view code, std::string_view prefix = "ACQ.") {
  bool const is_number = code.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_number) return fmt::format(R"({{"code":"{}","sub_code":"isv.something"}})", code);
  return fmt::format(R"({{"code":"40004","sub_code":"{}{}"}})", prefix, code);
}

TEST(AlipayCodes, EachHasItsOneOutcomePerCall) {
  std::set<std::pair<std::string_view, CallKind>> seen;
  for (CodeMeaning const& line : codes)
    for (CallKind const kind : kinds) {
      if ((line.calls & on(kind)) == 0) continue;
      EXPECT_TRUE(seen.emplace(line.code, kind).second) << line.code << " is listed twice";
      EXPECT_TRUE(line.source.starts_with("https://")) << line.code;
      for (bool const is_first : {true, false})
        EXPECT_EQ(meaning(kind, object_with_code(line.code), is_first).outcome,
                  outcome_of(line.meaning, call_of(kind, is_first)))
            << line.code << " " << to_text(kind);
      EXPECT_NE(line.meaning, Meaning::declined) << line.code << ": no code of a call speaks of the number for good";
    }
}

TEST(AlipayCodes, UnlistedIsInDoubtWhateverTheCall) {
  for (CallKind const kind : kinds) {
    for (auto const* const code : {"BRAND_NEW", "PAYMENT_FAIL", "", "TRADE_STATUS_ERROR2"})
      EXPECT_EQ(meaning(kind, object_with_code(code)).outcome, Outcome::in_doubt) << code;
    EXPECT_EQ(meaning(kind, R"({"code":"10003"})").outcome, Outcome::in_doubt);
    EXPECT_EQ(meaning(kind, R"({"code":10000})").outcome, Outcome::in_doubt) << "a number is not their form";
  }
}

TEST(AlipayCodes, PrefixesVary) {
  for (auto const* const prefix : {"ACQ.", "AQC.", "aop.ACQ.", ""})
    EXPECT_EQ(meaning(CallKind::query, object_with_code("TRADE_NOT_EXIST", prefix)).outcome, Outcome::not_found)
        << prefix;
}

TEST(AlipayTrade, EveryStatusHasItsOutcome) {
  for (auto const& [status, outcome] :
       {std::pair{"WAIT_BUYER_PAY", Outcome::requires_action}, std::pair{"TRADE_SUCCESS", Outcome::succeeded},
        std::pair{"TRADE_FINISHED", Outcome::succeeded}, std::pair{"TRADE_CLOSED", Outcome::declined},
        std::pair{"TRADE_PENDING", Outcome::in_doubt}}) {
    Answer const answer =
        meaning(CallKind::query,
                fmt::format(R"({{"code":"10000","out_trade_no":"{}","trade_status":"{}","total_amount":"88.88"}})",
                            attempt_id(1).value, status));
    EXPECT_EQ(answer.outcome, outcome) << status;
    EXPECT_EQ(answer.misfit, "");
    if (outcome == Outcome::succeeded) {
      EXPECT_EQ(answer.amount, cny(8888));
    }
  }
}

TEST(AlipayTrade, ClosedAfterItWasPaidIsForAPerson) {
  EXPECT_NE(
      meaning(CallKind::query, R"({"code":"10000","trade_status":"TRADE_CLOSED","send_pay_date":"2026-01-05"})").misfit,
      "");
}

TEST(AlipayTrade, AnAmountThatCantBeComparedDoesNotFit) {
  for (auto const* const amount : {"", "88.888", "8,8", "1e3", " 1"})
    EXPECT_NE(meaning(CallKind::query,
                      fmt::format(R"({{"code":"10000","trade_status":"TRADE_SUCCESS","total_amount":"{}"}})", amount))
                  .misfit,
              "")
        << amount;
}

TEST(AlipayRefund, OnlyMovedMoneyIsSuccess) {
  EXPECT_EQ(meaning(CallKind::refund, R"({"code":"10000","fund_change":"Y","refund_fee":"9.00"})").outcome,
            Outcome::succeeded);
  EXPECT_FALSE(meaning(CallKind::refund, R"({"code":"10000","fund_change":"Y","refund_fee":"9.00"})").amount)
      << "refund_fee is the sum of all refunds";
  EXPECT_EQ(meaning(CallKind::refund, R"({"code":"10000","fund_change":"N"})").outcome, Outcome::pending);
  EXPECT_EQ(meaning(CallKind::refund, R"({"code":"10000"})").outcome, Outcome::pending);
  EXPECT_EQ(meaning(CallKind::query_refund, R"({"code":"10000"})").outcome, Outcome::not_found);
  EXPECT_EQ(meaning(CallKind::query_refund, R"({"code":"10000","refund_status":"REFUND_FAIL"})").outcome,
            Outcome::not_found)
      << "not a definite failure: the same is sent again";
}

TEST(AlipaySignature, UnsignedOrForeignWordsProveNothing) {
  std::string const paid = R"({"code":"10000","trade_status":"TRADE_SUCCESS","total_amount":"1.00"})";
  std::string const closed = R"({"code":"10000","trade_status":"TRADE_CLOSED"})";
  std::string const signature = base64_encode(RsaPrivateKey::parse(test::rsa_keys(1).private_pem)->sign_sha256(paid));
  for (std::string const& object : {paid, closed}) {
    std::string const body = R"({"alipay_trade_query_response":)" + object;
    for (std::string const& sign :
         {std::string{"}"}, R"(,"sign":"AAAA"})" + std::string{}, R"(,"sign":")" + signature + "\"}"}) {
      Answer const answer = read(CallKind::query, body + sign);
      EXPECT_EQ(answer.outcome, Outcome::in_doubt);
      EXPECT_EQ(answer.code, "not_signed_by_alipay");
    }
  }
}

TEST(AlipaySignature, ARefusalBeforeDispatchEndsAFirstCreateOnly) {
  std::string const refused = R"({"error_response":{"code":"40002","sub_code":"isv.invalid-app-id"}})";
  EXPECT_EQ(read(CallKind::create, refused).outcome, Outcome::declined);
  EXPECT_EQ(read(CallKind::create, refused, false).outcome, Outcome::in_doubt);
  for (CallKind const kind : {CallKind::query, CallKind::close, CallKind::refund, CallKind::query_refund})
    EXPECT_EQ(read(kind, refused).outcome, Outcome::in_doubt) << to_text(kind);
  EXPECT_EQ(read(CallKind::create, R"({"error_response":{"code":"40004","sub_code":"ACQ.TOTAL_FEE_EXCEED"}})").outcome,
            Outcome::in_doubt);
}

TEST(AlipaySignature, IsOverTheBytesAsTheyCame) {
  std::string const odd =
      R"({ "code":"10000", "msg":"a\/b \"}{ 你好", "trade_status":"TRADE_SUCCESS","total_amount":"1.00",)"
      R"("x":[{"y":{}}] })";
  EXPECT_EQ(meaning(CallKind::query, odd).outcome, Outcome::succeeded);
}

TEST(AlipayEnvelope, FindsTheObjectAtTheFirstLevelOnly) {
  std::string const text = R"({"a":{"k":{"code":"1"}},"b":"k","k":{"code":"2"},"sign":"s","alipay_cert_sn":"c"})";
  auto const envelope = open_envelope(text, "k");
  ASSERT_TRUE(envelope);
  EXPECT_EQ(envelope->object, R"({"code":"2"})");
  EXPECT_EQ(envelope->sign, "s");
  EXPECT_EQ(envelope->serial, "c");
  for (auto const* const none : {"", "[]", "{}", R"({"k":"text"})", R"({"k":[1]})", R"({"k":{})", "{\"k\":{}} x"})
    EXPECT_FALSE(open_envelope(none, "k")) << none;
}

}  // namespace
}  // namespace payonce::alipay
