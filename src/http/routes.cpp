#include "http/routes.h"

namespace payonce {

namespace {

constexpr Route table[] = {
    {"PUT", "/v1/orders/{}", put_order},
    {"GET", "/v1/orders/{}", get_order},
    {"POST", "/v1/orders/{}/close", post_close_order},
    {"POST", "/v1/orders/{}/offline-payments", post_offline_payment},
    {"POST", "/v1/orders/{}/checkout-tokens", post_checkout_token},
    {"POST", "/v1/payments", post_payment},
    {"GET", "/v1/payments/{}", get_payment, true, {"wait"}},
    {"POST", "/v1/payments/{}/cancel", post_cancel_payment},
    {"POST", "/v1/payments/{}/resolve", post_resolve_payment},
    {"POST", "/v1/payments/{}/captures", post_capture},
    {"GET", "/v1/captures/{}", get_capture, true, {"wait"}},
    {"POST", "/v1/payments/{}/refunds", post_refund},
    {"GET", "/v1/refunds/{}", get_refund, true, {"wait"}},
    {"GET", "/v1/reviews", get_reviews},
    {"GET", "/v1/events", get_events, true, {"after", "limit"}},
    {"GET", "/v1/deliveries", get_deliveries},
    {"POST", "/v1/deliveries/{}/resend", post_resend_delivery},
    {"GET", "/v1/discrepancies", get_discrepancies},
    {"POST", "/v1/discrepancies/{}/resolve", post_resolve_discrepancy},
    {"POST", "/v1/notices/{}", post_notice, false},
    {"GET", "/checkout/return", get_checkout_return, false, {}, true},
    {"GET", "/checkout/assets/{}", get_checkout_asset, false, {"v"}},
    {"GET", "/checkout/{}", get_checkout_page, false, {"lang"}},
    {"GET", "/checkout/{}/state", get_checkout_state, false, {"wait", "seen"}},
    {"POST", "/checkout/{}/pay", post_checkout_pay, false},
    {"POST", "/checkout/{}/cancel", post_checkout_cancel, false},
    {"GET", "/openapi.json", get_openapi, false},
    {"GET", "/healthz", get_health, false},
    {"GET", "/readyz", get_ready, false},
    {"GET", "/metrics", get_metrics, false},
};

}  // namespace

std::span<Route const> routes() { return table; }

}  // namespace payonce
