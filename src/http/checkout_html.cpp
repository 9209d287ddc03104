#include "http/checkout_html.h"

#include <fmt/format.h>

#include "base/crypto.h"
#include "base/html.h"
#include "http/checkout_assets.gen.h"
#include "net/url.h"

namespace payonce {

namespace {

namespace files = assets::checkout;

constexpr Message title{"Payment", "付款"};
constexpr Message heading{"Secure checkout", "安全支付"};
constexpr Message order_word{"Order", "订单"};
constexpr Message refunded_word{"Refunded", "已退款"};
constexpr Message go_on{"Continue to ", "前往"};
constexpr Message back{"Back to the shop", "返回商家"};
constexpr Message needs_script{"To pay here, JavaScript has to be on. What you see above is how your order stands now.",
                               "在本页付款需要启用 JavaScript。以上为订单的当前状态。"};
constexpr Message gone{"This link is incomplete or too old. Please open the payment from the shop again.",
                       "链接不完整或已失效，请返回商家重新打开。"};
constexpr Message returned{
    "Please go back to the page where you began this payment: it shows the result. There is no need to pay again.",
    "请回到发起支付的页面查看结果，请勿重复付款。"};
constexpr Message other_language{"中文", "English"};

std::string_view say(Message const& message, Language language) {
  return language == Language::zh ? message.zh : message.en;
}

// Changes with the file, so that browsers may keep it for good.
std::string asset_path(std::string_view name) {
  return fmt::format("/checkout/assets/{}?v={}", name, sha256_hex(page_asset(name).body).substr(0, 12));
}

constexpr std::string_view lock =
    R"(<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">)"
    R"(<rect x="4" y="10" width="16" height="11" rx="2"/><path d="M8 10V7a4 4 0 0 1 8 0v3"/></svg>)";

// `refreshes`: without a script the page looks again by itself.
std::string page(Language language, bool refreshes, std::string_view content) {
  static std::string const style = asset_path("page.css");
  static std::string const script = asset_path("page.js");
  Language const other = language == Language::zh ? Language::en : Language::zh;
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex\">\n<title>{}</title>\n<link rel=\"stylesheet\" href=\"{}\">\n"
      "<script type=\"module\" src=\"{}\"></script>\n{}</head>\n<body>\n<main><div class=\"card\">\n"
      "<h1>{}{}</h1>\n{}\n</div></main>\n"
      "<footer><a href=\"?lang={}\" lang=\"{}\" hreflang=\"{}\">{}</a></footer>\n</body>\n</html>\n",
      language == Language::zh ? "zh-CN" : "en", say(title, language), style, script,
      refreshes ? "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n" : "", lock,
      say(heading, language), content, to_text(other), to_text(other), to_text(other), say(other_language, language));
}

std::string note_page(Message const& message, Language language, std::string_view attribute) {
  return page(language, false,
              fmt::format("<p class=\"say\" role=\"status\"{}>{}</p>", attribute, say(message, language)));
}

std::string link_html(std::string_view address, std::string_view text) {
  return fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>\n", escape_html(address), escape_html(text));
}

// What the page says where no script runs.
std::string plain_html(Order const& order, CheckoutView const& view, CheckoutGrant const& grant, Language language) {
  std::string html =
      fmt::format("<p class=\"order\">{} {}</p>\n<p class=\"amount\">{}</p>\n<p class=\"say\" role=\"status\">{}</p>\n",
                  say(order_word, language), escape_html(order.head.key.order.value), to_text(order.head.amount),
                  say(view.message, language));
  if (view.refunded_minor > 0)
    html += fmt::format("<p class=\"note\">{}: {}</p>\n", say(refunded_word, language),
                        to_text(Money{view.refunded_minor, order.head.amount.currency}));
  if (waits_for_buyer(view.situation) && is_web_address(view.attempt->action_url))
    html += link_html(view.attempt->action_url,
                      fmt::format("{}{}", say(go_on, language),
                                  language == Language::zh ? view.method_name_zh : view.method_name_en));
  if (view.situation == Situation::ready)
    html += fmt::format("<noscript><p class=\"note\">{}</p></noscript>\n", say(needs_script, language));
  if (!grant.return_url.empty() && !is_open(view.situation)) html += link_html(grant.return_url, say(back, language));
  return html;
}

}  // namespace

std::string_view to_text(Language language) { return language == Language::zh ? "zh" : "en"; }

std::string checkout_html(Order const& order, CheckoutView const& view, CheckoutState const& state,
                          CheckoutGrant const& grant, std::string_view address, Language language) {
  return page(language, is_open(view.situation),
              fmt::format("<payonce-checkout src=\"{}\" state=\"{}\">\n{}</payonce-checkout>", escape_html(address),
                          escape_html(state.json), plain_html(order, view, grant, language)));
}

std::string no_checkout_html(Language language) { return note_page(gone, language, {}); }

std::string return_html(Language language) { return note_page(returned, language, " data-return"); }

PageAsset page_asset(std::string_view name) {
  if (name == "page.js") return {"text/javascript; charset=utf-8", files::page_js};
  if (name == "element.js") return {"text/javascript; charset=utf-8", files::element_js};
  if (name == "page.css") return {"text/css; charset=utf-8", files::page_css};
  return {};
}

}  // namespace payonce
