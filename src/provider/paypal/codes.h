// What the issues in PayPal's errors mean, as data. Those of an order's capture or authorization stand under `query`,
// since it is a step of the question whether the buyer has paid. Unlisted is in doubt.
#pragma once

#include "provider/answers.h"

namespace payonce::paypal {

inline constexpr std::string_view orders_page =
    "https://github.com/paypal/paypal-rest-api-specifications/blob/main/openapi/checkout_orders_v2.json";
inline constexpr std::string_view payments_page =
    "https://github.com/paypal/paypal-rest-api-specifications/blob/main/openapi/payments_payment_v2.json";
inline constexpr std::string_view authentication_page = "https://developer.paypal.com/api/rest/authentication/";

inline constexpr unsigned on_change = on_create | on_refund | on_capture;
inline constexpr unsigned on_completion = on_query;

inline constexpr CodeMeaning codes[] = {
    // The request, not the payment.
    {"MISSING_REQUIRED_PARAMETER", on_change, Meaning::not_taken, orders_page},
    {"INVALID_PARAMETER_VALUE", on_change, Meaning::not_taken, orders_page},
    {"INVALID_PARAMETER_SYNTAX", on_change, Meaning::not_taken, orders_page},
    {"INVALID_STRING_LENGTH", on_change, Meaning::not_taken, orders_page},
    {"INVALID_STRING_MAX_LENGTH", on_change, Meaning::not_taken, orders_page},
    {"INVALID_ARRAY_MIN_ITEMS", on_change, Meaning::not_taken, orders_page},
    {"INVALID_ARRAY_MAX_ITEMS", on_change, Meaning::not_taken, orders_page},
    {"MALFORMED_REQUEST_JSON", on_change, Meaning::not_taken, orders_page},
    {"PAYPAL_REQUEST_ID_REQUIRED", on_create, Meaning::not_taken, orders_page},
    {"AMOUNT_MISMATCH", on_create, Meaning::not_taken, orders_page},
    {"DECIMAL_PRECISION", on_change, Meaning::not_taken, orders_page},
    {"DECIMALS_NOT_SUPPORTED", on_create | on_capture, Meaning::not_taken, orders_page},
    {"INVALID_CURRENCY_CODE", on_change, Meaning::not_taken, orders_page},
    {"CANNOT_BE_NEGATIVE", on_create, Meaning::not_taken, orders_page},
    {"CANNOT_BE_ZERO_OR_NEGATIVE", on_create | on_capture, Meaning::not_taken, orders_page},
    {"MAX_VALUE_EXCEEDED", on_create, Meaning::not_taken, orders_page},
    {"MULTI_CURRENCY_ORDER", on_create, Meaning::not_taken, orders_page},
    {"SHIPPING_ADDRESS_INVALID", on_create, Meaning::not_taken, orders_page},
    {"AUTH_CAPTURE_NOT_ENABLED", on_create | on_capture, Meaning::not_taken, orders_page},
    {"PLATFORM_FEE_NOT_ENABLED", on_create, Meaning::not_taken, orders_page},
    {"UNSUPPORTED_INTENT", on_create, Meaning::not_taken, orders_page},
    {"RETURN_URL_REQUIRED", on_create, Meaning::not_taken, orders_page},
    {"CANCEL_URL_REQUIRED", on_create, Meaning::not_taken, orders_page},
    {"PERMISSION_DENIED", on_change, Meaning::not_taken, orders_page},
    {"PAYEE_ACCOUNT_NOT_VERIFIED", on_create, Meaning::not_taken, orders_page},
    {"PAYEE_ACCOUNT_INVALID", on_create, Meaning::not_taken, orders_page},
    {"PAYEE_ACCOUNT_RESTRICTED", on_create, Meaning::not_taken, orders_page},
    {"PAYEE_ACCOUNT_LOCKED_OR_CLOSED", on_create, Meaning::not_taken, orders_page},
    {"INVALID_ACCOUNT_STATUS", on_change, Meaning::not_taken, orders_page},
    {"http_401", on_change, Meaning::not_taken, authentication_page},
    {"http_403", on_change, Meaning::not_taken, authentication_page},

    // The completion of an order: the buyer has to do something.
    {"ORDER_NOT_APPROVED", on_completion, Meaning::requires_action, orders_page},
    {"PAYER_ACTION_REQUIRED", on_completion, Meaning::requires_action, orders_page},
    {"REDIRECT_PAYER_FOR_ALTERNATE_FUNDING", on_completion, Meaning::requires_action, orders_page},
    {"INSTRUMENT_DECLINED", on_completion, Meaning::requires_action, orders_page},
    {"CONSENT_NEEDED", on_completion, Meaning::requires_action, orders_page},
    {"ORDER_COMPLETION_IN_PROGRESS", on_completion, Meaning::pending, orders_page},
    {"ORDER_IS_PENDING_APPROVAL", on_completion, Meaning::pending, orders_page},
    {"PREVIOUS_REQUEST_IN_PROGRESS", on_any, Meaning::in_doubt, payments_page},
    // It is done, by an earlier request of ours: the order tells.
    {"ORDER_ALREADY_CAPTURED", on_completion, Meaning::in_doubt, orders_page},
    {"ORDER_ALREADY_AUTHORIZED", on_completion, Meaning::in_doubt, orders_page},
    {"ORDER_ALREADY_COMPLETED", on_completion, Meaning::in_doubt, orders_page},
    {"ORDER_COMPLETED_OR_VOIDED", on_completion, Meaning::in_doubt, orders_page},
    {"MAX_CAPTURE_COUNT_EXCEEDED", on_completion, Meaning::in_doubt, orders_page},
    {"PAYMENT_ALREADY_APPROVED", on_completion, Meaning::in_doubt, orders_page},
    {"ACTION_DOES_NOT_MATCH_INTENT", on_completion, Meaning::in_doubt, orders_page},
    {"RATE_LIMIT_REACHED", on_any, Meaning::in_doubt, orders_page},
    {"DUPLICATE_INVOICE_ID", on_any, Meaning::in_doubt, orders_page},
    // Refused for good. A capture of a hold may be refused so as well.
    {"TRANSACTION_REFUSED", on_completion | on_capture, Meaning::declined, orders_page},
    {"PAYER_CANNOT_PAY", on_completion | on_capture, Meaning::declined, orders_page},
    {"PAYER_ACCOUNT_RESTRICTED", on_completion | on_capture, Meaning::declined, orders_page},
    {"PAYER_ACCOUNT_LOCKED_OR_CLOSED", on_completion | on_capture, Meaning::declined, orders_page},
    {"CARD_EXPIRED", on_completion, Meaning::declined, orders_page},
    {"REFERENCED_CARD_EXPIRED", on_completion, Meaning::declined, orders_page},
    {"TOKEN_EXPIRED", on_completion, Meaning::declined, orders_page},
    {"COMPLIANCE_VIOLATION", on_completion | on_capture, Meaning::declined, orders_page},
    {"PAYEE_BLOCKED_TRANSACTION", on_completion | on_capture, Meaning::declined, orders_page},
    {"TRANSACTION_BLOCKED_BY_PAYEE", on_completion | on_capture, Meaning::declined, orders_page},
    {"TRANSACTION_LIMIT_EXCEEDED", on_completion | on_capture, Meaning::declined, orders_page},
    {"TRANSACTION_RECEIVING_LIMIT_EXCEEDED", on_completion | on_capture, Meaning::declined, orders_page},
    {"MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED", on_completion, Meaning::declined, orders_page},
    {"DECLINED_DUE_TO_RELATED_TXN", on_completion | on_capture, Meaning::declined, orders_page},
    {"PAYMENT_SOURCE_DECLINED_BY_PROCESSOR", on_completion, Meaning::declined, orders_page},
    {"PAYMENT_SOURCE_CANNOT_BE_USED", on_completion, Meaning::declined, orders_page},
    {"PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED", on_completion, Meaning::declined, orders_page},
    {"AGREEMENT_ALREADY_CANCELLED", on_completion, Meaning::declined, orders_page},
    {"BILLING_AGREEMENT_NOT_FOUND", on_completion, Meaning::declined, orders_page},
    {"DOMESTIC_TRANSACTION_REQUIRED", on_completion, Meaning::declined, orders_page},
    {"ORDER_EXPIRED", on_completion, Meaning::declined, orders_page},

    // A capture of a hold, which is gone. That it was captured already is for the order to say.
    {"AUTHORIZATION_DENIED", on_capture, Meaning::declined, payments_page},
    {"AUTHORIZATION_EXPIRED", on_capture, Meaning::declined, payments_page},
    {"AUTHORIZATION_VOIDED", on_capture, Meaning::declined, payments_page},
    {"AUTHORIZATION_ALREADY_CAPTURED", on_capture, Meaning::in_doubt, payments_page},
    {"PREVIOUSLY_CAPTURED", on_capture, Meaning::in_doubt, payments_page},
    {"PREVIOUSLY_VOIDED", on_capture, Meaning::in_doubt, payments_page},
    {"MAX_CAPTURE_AMOUNT_EXCEEDED", on_capture, Meaning::not_taken, payments_page},
    {"MAX_CAPTURE_COUNT_EXCEEDED", on_capture, Meaning::not_taken, payments_page},
    {"AUTH_CAPTURE_CURRENCY_MISMATCH", on_capture, Meaning::not_taken, payments_page},

    // A refund. Everything went back; whether by this refund is for a person to see.
    {"CAPTURE_FULLY_REFUNDED", on_refund, Meaning::in_doubt, payments_page},
    {"PENDING_CAPTURE", on_refund, Meaning::in_doubt, payments_page},
    // To be sent again under the same number once there is money.
    {"REFUND_FAILED_INSUFFICIENT_FUNDS", on_refund, Meaning::in_doubt, payments_page},
    {"REFUND_AMOUNT_EXCEEDED", on_refund, Meaning::not_taken, payments_page},
    {"REFUND_AMOUNT_TOO_LOW", on_refund, Meaning::not_taken, payments_page},
    {"REFUND_NOT_ALLOWED", on_refund, Meaning::not_taken, payments_page},
    {"REFUND_IS_RESTRICTED", on_refund, Meaning::not_taken, payments_page},
    {"REFUND_TIME_LIMIT_EXCEEDED", on_refund, Meaning::not_taken, payments_page},
    {"REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK", on_refund, Meaning::not_taken, payments_page},
    {"PARTIAL_REFUND_NOT_ALLOWED", on_refund, Meaning::not_taken, payments_page},
    {"MAX_NUMBER_OF_REFUNDS_EXCEEDED", on_refund, Meaning::not_taken, payments_page},
    {"TRANSACTION_DISPUTED", on_refund, Meaning::not_taken, payments_page},
    {"REFUND_CAPTURE_CURRENCY_MISMATCH", on_refund, Meaning::not_taken, payments_page},
    {"CURRENCY_MISMATCH", on_refund, Meaning::not_taken, payments_page},
};

}  // namespace payonce::paypal
