// The hosted page and its files. Reading it changes nothing, however often and from wherever a buyer comes back to it.
#include "http/checkout_html.h"
#include "http/handlers.h"

namespace payonce {

namespace {

// Nothing from anywhere else, nothing inline, no frame around it; forms are not sent but by the script.
constexpr std::string_view page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

// What the address asks for, else what the browser prefers: the first of its languages that we have.
Language language_of(Exchange const& exchange) {
  std::string_view wanted = exchange.target.parameter("lang").value_or("");
  if (wanted.empty()) wanted = exchange.request.header("Accept-Language").value_or("");
  auto const zh = wanted.find("zh");
  auto const en = wanted.find("en");
  return zh < en ? Language::zh : Language::en;
}

void respond_page(Exchange& exchange, int status, std::string body) {
  exchange.respond({.status = status,
                    .headers = {{"Content-Type", "text/html; charset=utf-8"},
                                {"Cache-Control", "no-store"},
                                {"Content-Security-Policy", std::string{page_policy}},
                                {"Referrer-Policy", "no-referrer"},
                                {"X-Content-Type-Options", "nosniff"},
                                {"X-Request-Id", exchange.request_id}},
                    .body = std::move(body)});
}

}  // namespace

void get_checkout_page(Api& api, ExchangePtr const& exchange) {
  Engine::Parts const& parts = api.engine().parts();
  Language const language = language_of(*exchange);
  auto const grant = open_checkout_token(exchange->segment(1), api.checkout().usable_secrets(), parts.clock.now());
  if (!grant) return respond_page(*exchange, 404, no_checkout_html(language));
  auto answered = [&api, exchange, grant = *grant, language](Result<std::optional<Order>> const& order) {
    if (!order) return respond_problem(*exchange, order.error());
    if (!*order) return respond_page(*exchange, 404, no_checkout_html(language));
    Time const now = api.engine().parts().clock.now();
    CheckoutView const view = view_of(**order, grant, api.checkout(), now);
    CheckoutState const state = render_state(**order, view, grant, now);
    respond_page(*exchange, 200, checkout_html(**order, view, state, grant, exchange->target.path, language));
  };
  parts.reads.ask([key = grant->key](Reader& reader) { return reader.find_order(key); }, std::move(answered));
}

void get_checkout_return(Api&, ExchangePtr const& exchange) {
  respond_page(*exchange, 200, return_html(language_of(*exchange)));
}

void get_checkout_asset(Api&, ExchangePtr const& exchange) {
  PageAsset const asset = page_asset(exchange->segment(2));
  if (asset.type.empty())
    return respond_problem(*exchange, {ErrorCode::not_found, "There is no such file of the page"});
  // The element is for shops' pages as well. Under the address that changes with it a file is kept for good.
  bool const is_versioned = exchange->target.parameter("v").has_value();
  exchange->respond(
      {.headers = {{"Content-Type", std::string{asset.type}},
                   {"Cache-Control", is_versioned ? "public, max-age=31536000, immutable" : "public, max-age=300"},
                   {"Access-Control-Allow-Origin", "*"},
                   {"X-Content-Type-Options", "nosniff"},
                   {"X-Request-Id", exchange->request_id}},
       .body = std::string{asset.body}});
}

}  // namespace payonce
