// One function per endpoint; the table in routes.cpp says which is which.
#pragma once

#include "http/api.h"
#include "http/exchange.h"

namespace payonce {

// orders.cpp
void put_order(Api& api, ExchangePtr const& exchange);
void get_order(Api& api, ExchangePtr const& exchange);
void post_close_order(Api& api, ExchangePtr const& exchange);
void post_offline_payment(Api& api, ExchangePtr const& exchange);
// payments.cpp
void post_payment(Api& api, ExchangePtr const& exchange);
void get_payment(Api& api, ExchangePtr const& exchange);
void post_cancel_payment(Api& api, ExchangePtr const& exchange);
void post_resolve_payment(Api& api, ExchangePtr const& exchange);
void get_reviews(Api& api, ExchangePtr const& exchange);
// refunds.cpp
void post_capture(Api& api, ExchangePtr const& exchange);
void get_capture(Api& api, ExchangePtr const& exchange);
void post_refund(Api& api, ExchangePtr const& exchange);
void get_refund(Api& api, ExchangePtr const& exchange);
// checkout.cpp
void post_checkout_token(Api& api, ExchangePtr const& exchange);
void get_checkout_state(Api& api, ExchangePtr const& exchange);
void post_checkout_pay(Api& api, ExchangePtr const& exchange);
void post_checkout_cancel(Api& api, ExchangePtr const& exchange);
// checkout_pages.cpp
void get_checkout_page(Api& api, ExchangePtr const& exchange);
void get_checkout_return(Api& api, ExchangePtr const& exchange);
void get_checkout_asset(Api& api, ExchangePtr const& exchange);
// feed.cpp
void get_events(Api& api, ExchangePtr const& exchange);
void get_deliveries(Api& api, ExchangePtr const& exchange);
void post_resend_delivery(Api& api, ExchangePtr const& exchange);
// discrepancies.cpp
void get_discrepancies(Api& api, ExchangePtr const& exchange);
void post_resolve_discrepancy(Api& api, ExchangePtr const& exchange);
// service.cpp
void post_notice(Api& api, ExchangePtr const& exchange);
void get_openapi(Api& api, ExchangePtr const& exchange);
void get_health(Api& api, ExchangePtr const& exchange);
void get_ready(Api& api, ExchangePtr const& exchange);
void get_metrics(Api& api, ExchangePtr const& exchange);

}  // namespace payonce
