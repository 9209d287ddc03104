// The whole table of codes, every state, and what makes an answer count.
#include "provider/wechatpay/classify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "base/crypto.h"
#include "provider/wechatpay/codes.h"
#include "support/rsa_keys.h"
#include "support/rules_world.h"

namespace payonce::wechatpay {
namespace {

constexpr CallKind kinds[] = {CallKind::create, CallKind::query, CallKind::close, CallKind::refund,
                              CallKind::query_refund};
Owner const owner{"wx1", "1900000001"};

Keys const& keys() {
  static Keys const made = [] {
    ProviderSettings settings;
    settings.options = {{"private_key", {test::rsa_keys(1).private_pem}},
                        {"api_v3_key", {"0123456789abcdef0123456789abcdef"}},
                        {"public_key_id", {"PUB_KEY_ID_1"}},
                        {"public_key", {test::rsa_keys(2).public_pem}}};
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

HttpHeaders signed_headers(std::string_view body, Time at = test_start, std::string_view id = "PUB_KEY_ID_1") {
  static RsaPrivateKey const wechat = *RsaPrivateKey::parse(test::rsa_keys(2).private_pem);
  auto const seconds = to_epoch_ms(at) / 1'000;
  return {{"Wechatpay-Timestamp", std::to_string(seconds)},
          {"Wechatpay-Nonce", "n"},
          {"Wechatpay-Serial", std::string{id}},
          {"Wechatpay-Signature", base64_encode(wechat.sign_sha256(fmt::format("{}\nn\n{}\n", seconds, body)))}};
}

Answer read(CallKind kind, int status, std::string body, HttpHeaders headers, bool is_first = true) {
  return classify(
      call_of(kind, is_first), false,
      {.delivery = Delivery::answered, .status = status, .headers = std::move(headers), .body = std::move(body)},
      keys(), owner, test_start);
}

Answer meaning(CallKind kind, int status, std::string body, bool is_first = true) {
  HttpHeaders headers = signed_headers(body);
  return read(kind, status, std::move(body), std::move(headers), is_first);
}

std::string error(std::string_view code) { return fmt::format(R"({{"code":"{}","message":"m"}})", code); }

std::string order(std::string_view state, std::string_view more = "") {
  return fmt::format(R"({{"appid":"wx1","mchid":"1900000001","out_trade_no":"{}","trade_state":"{}",)"
                     R"("transaction_id":"42","amount":{{"total":1999,"currency":"CNY"}}{}}})",
                     attempt_id(1).value, state, more);
}

TEST(WechatPayCodes, EachHasItsOneOutcomePerCall) {
  std::set<std::pair<std::string_view, CallKind>> seen;
  for (CodeMeaning const& line : codes)
    for (CallKind const kind : kinds) {
      if ((line.calls & on(kind)) == 0) {
        if (meaning_of(codes, kind, line.code) == Meaning::in_doubt) {
          EXPECT_EQ(meaning(kind, 400, error(line.code)).outcome, Outcome::in_doubt) << line.code;
        }
        continue;
      }
      EXPECT_TRUE(seen.emplace(line.code, kind).second) << line.code << " is listed twice";
      EXPECT_TRUE(line.source.starts_with("https://")) << line.code;
      for (bool const is_first : {true, false})
        EXPECT_EQ(meaning(kind, 403, error(line.code), is_first).outcome,
                  outcome_of(line.meaning, call_of(kind, is_first)))
            << line.code << " " << to_text(kind);
      EXPECT_EQ(meaning(kind, 500, error(line.code)).outcome, Outcome::in_doubt) << "trouble on the way";
      EXPECT_NE(line.meaning, Meaning::declined) << line.code << ": no code speaks of the number for good";
    }
}

TEST(WechatPayCodes, UnlistedIsInDoubt) {
  for (CallKind const kind : kinds)
    for (auto const& body : {error("BRAND_NEW"), error(""), std::string{"{}"}, std::string{"<html>"}, std::string{}})
      for (int const status : {202, 400, 401, 403, 404, 429, 500, 503})
        EXPECT_EQ(meaning(kind, status, body).outcome, Outcome::in_doubt) << status << body;
}

TEST(WechatPayOrder, EveryStateHasItsOutcome) {
  for (auto const& [state, outcome] :
       {std::pair{"SUCCESS", Outcome::succeeded}, std::pair{"NOTPAY", Outcome::requires_action},
        std::pair{"CLOSED", Outcome::declined}, std::pair{"USERPAYING", Outcome::in_doubt},
        std::pair{"PAYERROR", Outcome::in_doubt}, std::pair{"REVOKED", Outcome::in_doubt},
        std::pair{"ACCEPT", Outcome::in_doubt}}) {
    Answer const answer = meaning(CallKind::query, 200, order(state));
    EXPECT_EQ(answer.outcome, outcome) << state;
    EXPECT_EQ(answer.misfit, "");
    if (outcome == Outcome::succeeded) {
      EXPECT_EQ(answer.amount, cny(1999));
    }
  }
  EXPECT_NE(meaning(CallKind::query, 200, order("REFUND")).misfit, "") << "for a person";
}

TEST(WechatPayOrder, OfAnotherMerchantOrWithoutAnAmountDoesNotFit) {
  for (auto const& [from, to] : {std::pair{"1900000001", "1900000002"}, std::pair{"wx1", "wx2"},
                                 std::pair{"1999,", "1999.0,"}, std::pair{"\"CNY\"", "\"USD\""}}) {
    std::string body = order("SUCCESS");
    body.replace(body.find(from), std::string_view{from}.size(), to);
    EXPECT_NE(meaning(CallKind::query, 200, body).misfit, "") << to;
  }
}

TEST(WechatPayRefund, EveryStateHasItsOutcome) {
  for (auto const& [state, outcome] :
       {std::pair{"SUCCESS", Outcome::succeeded}, std::pair{"CLOSED", Outcome::declined},
        std::pair{"PROCESSING", Outcome::pending}, std::pair{"ABNORMAL", Outcome::in_doubt}}) {
    std::string const refund = fmt::format(R"({{"out_refund_no":"{}","refund_id":"50","status":"{}",)"
                                           R"("amount":{{"refund":500,"total":1999,"currency":"CNY"}}}})",
                                           refund_id(1).value, state);
    for (CallKind const kind : {CallKind::refund, CallKind::query_refund}) {
      EXPECT_EQ(meaning(kind, 200, refund).outcome, outcome) << state;
      EXPECT_EQ(meaning(kind, 200, refund).amount, cny(500));
    }
  }
}

TEST(WechatPayClose, IsAnEmptyAnswerThatIsSigned) {
  EXPECT_EQ(meaning(CallKind::close, 204, "").outcome, Outcome::declined);
  EXPECT_EQ(read(CallKind::close, 204, "", {}).outcome, Outcome::in_doubt);
}

TEST(WechatPaySignature, WhatIsNotSignedProvesNothing) {
  std::string const paid = order("SUCCESS");
  HttpHeaders const good = signed_headers(paid);
  auto const with = [&](std::string_view name, std::string const& value) {
    HttpHeaders headers = good;
    for (auto& header : headers)
      if (header.name == name) header.value = value;
    return read(CallKind::query, 200, paid, headers).outcome;
  };
  EXPECT_EQ(read(CallKind::query, 200, paid, good).outcome, Outcome::succeeded);
  EXPECT_EQ(with("Wechatpay-Nonce", "m"), Outcome::in_doubt);
  EXPECT_EQ(with("Wechatpay-Serial", "PUB_KEY_ID_2"), Outcome::in_doubt);
  EXPECT_EQ(with("Wechatpay-Timestamp", "1760000001"), Outcome::in_doubt);
  EXPECT_EQ(with("Wechatpay-Timestamp", ""), Outcome::in_doubt);
  EXPECT_EQ(with("Wechatpay-Signature", "WECHATPAY/SIGNTEST/" + std::string(25, 'A')), Outcome::in_doubt);
  EXPECT_EQ(with("Wechatpay-Signature", std::string(10'000, 'A')), Outcome::in_doubt);
  EXPECT_EQ(read(CallKind::query, 200, paid + " ", good).outcome, Outcome::in_doubt);
  for (Millis const away : {Millis{300s}, Millis{-300s}})
    EXPECT_EQ(read(CallKind::query, 200, paid, signed_headers(paid, test_start + away)).outcome, Outcome::succeeded);
  for (Millis const away : {Millis{301s}, Millis{-301s}})
    EXPECT_EQ(read(CallKind::query, 200, paid, signed_headers(paid, test_start + away)).outcome, Outcome::in_doubt);
}

TEST(WechatPaySignature, AForgedRefusalEndsNothingButACreateThatMovesNoMoney) {
  for (auto const* const code : {"ORDER_NOT_EXIST", "RESOURCE_NOT_EXISTS", "NO_AUTH", "PARAM_ERROR"})
    for (CallKind const kind : {CallKind::query, CallKind::close, CallKind::refund, CallKind::query_refund})
      EXPECT_EQ(read(kind, 404, error(code), {}).outcome, Outcome::in_doubt) << code << to_text(kind);
  EXPECT_EQ(read(CallKind::create, 401, error("SIGN_ERROR"), {}).outcome, Outcome::declined);
  EXPECT_EQ(read(CallKind::create, 401, error("SIGN_ERROR"), {}, false).outcome, Outcome::in_doubt);
}

}  // namespace
}  // namespace payonce::wechatpay
