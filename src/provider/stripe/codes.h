// What Stripe's error codes mean, as data. Unlisted is in doubt, and so is every code under a status that tells of
// trouble on the way (classify.cpp).
#pragma once

#include "provider/answers.h"

namespace payonce::stripe {

inline constexpr std::string_view error_codes_page = "https://docs.stripe.com/error-codes";
inline constexpr std::string_view low_level_page = "https://docs.stripe.com/error-low-level";
inline constexpr std::string_view errors_page = "https://docs.stripe.com/api/errors";

// A card that is refused: the number's end, since nobody but us can confirm the same payment again, and we do not.
inline constexpr unsigned on_confirm = on_create | on_query;
inline constexpr unsigned on_change = on_create | on_refund | on_capture;

inline constexpr CodeMeaning codes[] = {
    {"card_declined", on_confirm, Meaning::declined, error_codes_page},
    {"expired_card", on_confirm, Meaning::declined, error_codes_page},
    {"incorrect_cvc", on_confirm, Meaning::declined, error_codes_page},
    {"incorrect_number", on_confirm, Meaning::declined, error_codes_page},
    {"incorrect_zip", on_confirm, Meaning::declined, error_codes_page},
    {"insufficient_funds", on_confirm, Meaning::declined, error_codes_page},
    {"authentication_required", on_confirm, Meaning::declined, error_codes_page},
    {"payment_intent_authentication_failure", on_confirm, Meaning::declined, error_codes_page},
    {"payment_method_customer_decline", on_confirm, Meaning::declined, error_codes_page},
    {"payment_method_provider_decline", on_confirm, Meaning::declined, error_codes_page},
    {"debit_not_authorized", on_confirm, Meaning::declined, error_codes_page},
    {"card_decline_rate_limit_exceeded", on_confirm, Meaning::declined, error_codes_page},
    // Failed by Stripe's word, but worth a second look before the buyer is told.
    {"processing_error", on_any, Meaning::in_doubt, error_codes_page},
    {"payment_method_provider_timeout", on_any, Meaning::in_doubt, error_codes_page},

    {"amount_too_large", on_change, Meaning::not_taken, error_codes_page},
    {"amount_too_small", on_change, Meaning::not_taken, error_codes_page},
    {"invalid_charge_amount", on_create, Meaning::not_taken, error_codes_page},
    {"parameter_invalid_empty", on_change, Meaning::not_taken, error_codes_page},
    {"parameter_invalid_integer", on_change, Meaning::not_taken, error_codes_page},
    {"parameter_invalid_string_blank", on_change, Meaning::not_taken, error_codes_page},
    {"parameter_invalid_string_empty", on_change, Meaning::not_taken, error_codes_page},
    {"parameter_missing", on_change, Meaning::not_taken, error_codes_page},
    {"parameter_unknown", on_change, Meaning::not_taken, error_codes_page},
    {"parameters_exclusive", on_change, Meaning::not_taken, error_codes_page},
    {"payment_method_currency_mismatch", on_create, Meaning::not_taken, error_codes_page},
    {"payment_method_invalid_parameter", on_create, Meaning::not_taken, error_codes_page},
    {"resource_missing", on_create, Meaning::not_taken, error_codes_page},

    {"charge_disputed", on_refund, Meaning::declined, error_codes_page},
    {"refund_disputed_payment", on_refund, Meaning::declined, error_codes_page},
    {"charge_not_refundable", on_refund, Meaning::declined, error_codes_page},
    {"balance_insufficient", on_refund, Meaning::declined, error_codes_page},
    // Somebody gave everything back; whether it was this refund is for the list of refunds to say.
    {"charge_already_refunded", on_refund, Meaning::in_doubt, error_codes_page},

    // The hold is gone. That it was captured already is for the payment itself to say.
    {"charge_expired_for_capture", on_capture, Meaning::declined, error_codes_page},
    {"capture_charge_authorization_expired", on_capture, Meaning::declined, error_codes_page},
    {"charge_already_captured", on_capture, Meaning::in_doubt, error_codes_page},

    {"api_key_expired", on_change, Meaning::not_taken, error_codes_page},
    {"platform_api_key_expired", on_change, Meaning::not_taken, error_codes_page},
    {"secret_key_required", on_change, Meaning::not_taken, error_codes_page},
    {"livemode_mismatch", on_change, Meaning::not_taken, error_codes_page},
    {"testmode_charges_only", on_change, Meaning::not_taken, error_codes_page},
    {"capability_not_active", on_change, Meaning::not_taken, error_codes_page},
    {"tls_version_unsupported", on_change, Meaning::not_taken, error_codes_page},
    {"account_invalid", on_change, Meaning::not_taken, error_codes_page},
    {"http_401", on_change, Meaning::not_taken, errors_page},
    {"http_403", on_change, Meaning::not_taken, errors_page},

    // The first request under the key may have worked.
    {"idempotency_error", on_any, Meaning::in_doubt, low_level_page},
    {"idempotency_key_in_use", on_any, Meaning::in_doubt, low_level_page},
    {"lock_timeout", on_any, Meaning::in_doubt, error_codes_page},
    {"rate_limit", on_any, Meaning::in_doubt, error_codes_page},
};

}  // namespace payonce::stripe
