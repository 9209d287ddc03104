// What WeChat Pay's error codes mean, as data. Unlisted is in doubt.
#pragma once

#include "provider/answers.h"

namespace payonce::wechatpay {

inline constexpr std::string_view create_page = "https://pay.weixin.qq.com/wiki/doc/apiv3/apis/chapter3_4_1.shtml";
inline constexpr std::string_view query_page = "https://pay.weixin.qq.com/wiki/doc/apiv3/apis/chapter3_4_2.shtml";
inline constexpr std::string_view refund_page = "https://pay.weixin.qq.com/wiki/doc/apiv3/apis/chapter3_4_9.shtml";
// Of payments by a scanned code and of the interface before this one; they still turn up.
inline constexpr std::string_view old_page = "https://pay.weixin.qq.com/wiki/doc/api/micropay.php?chapter=9_10";

inline constexpr unsigned on_change = on_create | on_refund;

inline constexpr CodeMeaning codes[] = {
    {"SYSTEM_ERROR", on_any, Meaning::in_doubt, create_page},
    {"BANKERROR", on_any, Meaning::in_doubt, old_page},
    {"FREQUENCY_LIMITED", on_any, Meaning::in_doubt, create_page},
    {"REQUEST_BLOCKED", on_any, Meaning::in_doubt, refund_page},
    {"USERPAYING", on_any, Meaning::in_doubt, old_page},

    {"PARAM_ERROR", on_change, Meaning::not_taken, create_page},
    {"SIGN_ERROR", on_change, Meaning::not_taken, create_page},
    {"NO_AUTH", on_change, Meaning::not_taken, create_page},
    {"APPID_MCHID_NOT_MATCH", on_create, Meaning::not_taken, create_page},
    {"MCH_NOT_EXISTS", on_change, Meaning::not_taken, create_page},
    {"OPENID_MISMATCH", on_create, Meaning::not_taken, old_page},
    {"INVALID_TRANSACTIONID", on_refund, Meaning::not_taken, old_page},

    // A number that is known there, perhaps with other content: only a question tells how it stands.
    {"INVALID_REQUEST", on_any, Meaning::in_doubt, create_page},
    {"OUT_TRADE_NO_USED", on_create, Meaning::in_doubt, create_page},
    {"RULE_LIMIT", on_any, Meaning::in_doubt, create_page},
    {"RULELIMIT", on_any, Meaning::in_doubt, old_page},
    {"TRADE_ERROR", on_any, Meaning::in_doubt, query_page},
    {"ORDERPAID", on_any, Meaning::in_doubt, old_page},
    {"ORDER_CLOSED", on_any, Meaning::in_doubt, old_page},

    {"ORDER_NOT_EXIST", on_query | on_close, Meaning::not_found, query_page},
    {"ORDERNOTEXIST", on_query | on_close, Meaning::not_found, old_page},

    {"RESOURCE_NOT_EXISTS", on_query_refund, Meaning::not_found, refund_page},
    {"RESOURCE_NOT_EXISTS", on_refund, Meaning::not_taken, refund_page},
    {"USER_ACCOUNT_ABNORMAL", on_refund, Meaning::not_taken, refund_page},
    // To be sent again under the same number once the account is topped up.
    {"NOT_ENOUGH", on_refund, Meaning::in_doubt, refund_page},
    {"NOTENOUGH", on_refund, Meaning::in_doubt, old_page},
};

// Refusals to close that only a question explains: the order may be paid, or closed already.
inline constexpr std::string_view ask_after_close[] = {"TRADE_ERROR", "RULE_LIMIT",   "RULELIMIT",
                                                       "ORDERPAID",   "ORDER_CLOSED", "INVALID_REQUEST"};

}  // namespace payonce::wechatpay
