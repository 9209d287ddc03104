// What the gateway's codes mean, as data: a sub_code without its prefix (ACQ., AQC., aop.), or else the code itself.
// Unlisted is in doubt.
#pragma once

#include "provider/answers.h"

namespace payonce::alipay {

inline constexpr std::string_view common_page = "https://opendocs.alipay.com/common/02km9f";
// The lists of Alipay's own description of each call, as its PHP kit has them.
inline constexpr std::string_view precreate_page =
    "https://github.com/alipay/alipay-sdk-php-all/blob/master/v3/src/Model/AlipayTradePrecreateErrorResponseModel.php";
inline constexpr std::string_view query_page =
    "https://github.com/alipay/alipay-sdk-php-all/blob/master/v3/src/Model/AlipayTradeQueryErrorResponseModel.php";
inline constexpr std::string_view close_page =
    "https://github.com/alipay/alipay-sdk-php-all/blob/master/v3/src/Model/AlipayTradeCloseErrorResponseModel.php";
inline constexpr std::string_view refund_page =
    "https://github.com/alipay/alipay-sdk-php-all/blob/master/v3/src/Model/AlipayTradeRefundErrorResponseModel.php";
inline constexpr std::string_view refund_query_page =
    "https://github.com/alipay/alipay-sdk-php-all/blob/master/v3/src/Model/"
    "AlipayTradeFastpayRefundQueryErrorResponseModel.php";

inline constexpr unsigned on_change = on_create | on_refund;

inline constexpr CodeMeaning codes[] = {
    // Of the gateway itself.
    {"20000", on_any, Meaning::in_doubt, common_page},
    {"20001", on_change, Meaning::not_taken, common_page},
    {"40001", on_change, Meaning::not_taken, common_page},
    {"40002", on_change, Meaning::not_taken, common_page},
    {"40003", on_change, Meaning::not_taken, common_page},
    {"40005", on_any, Meaning::in_doubt, common_page},
    {"40006", on_change, Meaning::not_taken, common_page},

    {"SYSTEM_ERROR", on_any, Meaning::in_doubt, precreate_page},
    {"INVALID_PARAMETER", on_change, Meaning::not_taken, precreate_page},
    {"ACCESS_FORBIDDEN", on_change, Meaning::not_taken, precreate_page},
    {"PARTNER_ERROR", on_change, Meaning::not_taken, precreate_page},

    // precreate. The number is known there, in a state that only a question tells.
    {"CONTEXT_INCONSISTENT", on_create, Meaning::in_doubt, precreate_page},
    {"TRADE_HAS_SUCCESS", on_create, Meaning::in_doubt, precreate_page},
    {"TRADE_HAS_CLOSE", on_create | on_refund, Meaning::in_doubt, precreate_page},
    {"TRADE_BUYER_NOT_MATCH", on_create, Meaning::in_doubt, precreate_page},
    {"APPLY_PC_MERCHANT_CODE_ERROR", on_create, Meaning::in_doubt, precreate_page},
    // precreate. Refused before there was a trade.
    {"EXIST_FORBIDDEN_WORD", on_create, Meaning::not_taken, precreate_page},
    {"TOTAL_FEE_EXCEED", on_create, Meaning::not_taken, precreate_page},
    {"BUYER_SELLER_EQUAL", on_create, Meaning::not_taken, precreate_page},
    {"BUYER_ENABLE_STATUS_FORBID", on_change, Meaning::not_taken, precreate_page},
    {"BUYER_PAYMENT_AMOUNT_DAY_LIMIT_ERROR", on_create, Meaning::not_taken, precreate_page},
    {"BEYOND_PAY_RESTRICTION", on_create, Meaning::not_taken, precreate_page},
    {"BEYOND_PER_RECEIPT_RESTRICTION", on_create, Meaning::not_taken, precreate_page},
    {"BUYER_PAYMENT_AMOUNT_MONTH_LIMIT_ERROR", on_create, Meaning::not_taken, precreate_page},
    {"SELLER_BEEN_BLOCKED", on_create, Meaning::not_taken, precreate_page},
    {"ERROR_BUYER_CERTIFY_LEVEL_LIMIT", on_create, Meaning::not_taken, precreate_page},
    {"INVALID_STORE_ID", on_create, Meaning::not_taken, precreate_page},
    {"SECONDARY_MERCHANT_STATUS_ERROR", on_create, Meaning::not_taken, precreate_page},
    {"BEYOND_PER_RECEIPT_DAY_RESTRICTION", on_create, Meaning::not_taken, precreate_page},
    {"BEYOND_PER_RECEIPT_SINGLE_RESTRICTION", on_create, Meaning::not_taken, precreate_page},
    {"TRADE_SETTLE_ERROR", on_change, Meaning::not_taken, precreate_page},
    {"SECONDARY_MERCHANT_ID_INVALID", on_create, Meaning::not_taken, precreate_page},
    {"SECONDARY_MERCHANT_ISV_PUNISH_INDIRECT", on_create, Meaning::not_taken, precreate_page},
    {"SELLER_NOT_EXIST", on_create, Meaning::not_taken, precreate_page},
    {"SECONDARY_MERCHANT_ALIPAY_ACCOUNT_INVALID", on_create, Meaning::not_taken, precreate_page},
    {"INVALID_RECEIVE_ACCOUNT", on_create, Meaning::not_taken, precreate_page},
    {"SECONDARY_MERCHANT_ID_BLANK", on_create, Meaning::not_taken, precreate_page},
    {"NOW_TIME_AFTER_EXPIRE_TIME_ERROR", on_create, Meaning::not_taken, precreate_page},
    {"SECONDARY_MERCHANT_NOT_MATCH", on_create, Meaning::not_taken, precreate_page},
    {"BUYER_NOT_EXIST", on_change, Meaning::not_taken, precreate_page},
    {"SUB_GOODS_SIZE_MAX_COUNT", on_create, Meaning::not_taken, precreate_page},
    {"DEFAULT_SETTLE_RULE_NOT_EXIST", on_create, Meaning::not_taken, precreate_page},
    {"MERCHANT_PERM_RECEIPT_SUSPEND_LIMIT", on_create, Meaning::not_taken, precreate_page},
    {"MERCHANT_PERM_RECEIPT_SINGLE_LIMIT", on_create, Meaning::not_taken, precreate_page},
    {"MERCHANT_PERM_RECEIPT_DAY_LIMIT", on_create, Meaning::not_taken, precreate_page},
    {"RISK_MERCHANT_IP_NOT_EXIST", on_create, Meaning::not_taken, precreate_page},
    {"MERCHANT_STATUS_NOT_NORMAL", on_create, Meaning::not_taken, precreate_page},

    {"TRADE_NOT_EXIST", on_query, Meaning::not_found, query_page},
    {"TRADE_NOT_EXIST", on_close, Meaning::not_found, close_page},
    {"TRADE_NOT_EXIST", on_query_refund, Meaning::in_doubt, refund_query_page},
    {"ENTERPRISE_PAY_BIZ_ERROR", on_query | on_query_refund, Meaning::in_doubt, query_page},

    // refund. It may have been done already, or is done once there is money: the same number is asked for, then sent.
    {"SELLER_BALANCE_NOT_ENOUGH", on_refund, Meaning::in_doubt, refund_page},
    {"DISCORDANT_REPEAT_REQUEST", on_refund, Meaning::in_doubt, refund_page},
    {"REFUND_CHARGE_ERROR", on_refund, Meaning::in_doubt, refund_page},
    {"TRADE_HAS_FINISHED", on_refund, Meaning::in_doubt, refund_page},
    {"TRADE_NOT_EXIST", on_refund, Meaning::in_doubt, refund_page},
    // refund. Refused.
    {"REFUND_AMT_NOT_EQUAL_TOTAL", on_refund, Meaning::not_taken, refund_page},
    {"REASON_TRADE_BEEN_FREEZEN", on_refund, Meaning::not_taken, refund_page},
    {"TRADE_STATUS_ERROR", on_refund, Meaning::not_taken, refund_page},
    {"REASON_TRADE_REFUND_FEE_ERR", on_refund, Meaning::not_taken, refund_page},
    {"TRADE_NOT_ALLOW_REFUND", on_refund, Meaning::not_taken, refund_page},
    {"REFUND_FEE_ERROR", on_refund, Meaning::not_taken, refund_page},
    {"REASON_TRADE_STATUS_INVALID", on_refund, Meaning::not_taken, refund_page},
    {"NOT_ALLOW_PARTIAL_REFUND", on_refund, Meaning::not_taken, refund_page},
    {"ONLINE_TRADE_VOUCHER_NOT_ALLOW_REFUND", on_refund, Meaning::not_taken, refund_page},
    {"BUYER_ERROR", on_refund, Meaning::not_taken, refund_page},
    {"CURRENCY_NOT_SUPPORT", on_refund, Meaning::not_taken, refund_page},
    {"ALLOC_AMOUNT_VALIDATE_ERROR", on_refund, Meaning::not_taken, refund_page},
    {"USER_NOT_MATCH_ERR", on_refund, Meaning::not_taken, refund_page},
    {"ENTERPRISE_PAY_BIZ_ERROR", on_refund, Meaning::not_taken, refund_page},
    {"OVERDRAFT_ASSIGN_ACCOUNT_INVALID", on_refund, Meaning::not_taken, refund_page},
    {"OVERDRAFT_AGREEMENT_NOT_MATCH", on_refund, Meaning::not_taken, refund_page},
    {"REFUND_ACCOUNT_NOT_EXIST", on_refund, Meaning::not_taken, refund_page},
    {"CUSTOMER_VALIDATE_ERROR", on_refund, Meaning::not_taken, refund_page},
    {"REFUND_ROYALTY_PAYEE_ACCOUNT_NOT_EXIST", on_refund, Meaning::not_taken, refund_page},
    {"REFUNDALLOC_UNAUTH_LIMIT", on_refund, Meaning::not_taken, refund_page},
};

// Refusals to close that only a question explains: the trade may be paid, or closed already.
inline constexpr std::string_view ask_after_close[] = {"TRADE_STATUS_ERROR", "REASON_TRADE_STATUS_INVALID",
                                                       "REASON_ILLEGAL_STATUS"};

}  // namespace payonce::alipay
