#include "sandbox/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/html.h"
#include "base/money.h"
#include "sandbox/assets.gen.h"

namespace payonce::sandbox {

namespace {

constexpr std::size_t latest_shown = 50;

std::string page(std::string_view title, std::string_view main_class, std::string_view content) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>{}</title><style>\n{}\n</style></head>\n<body><main class=\"{}\">\n{}\n</main></body>\n</html>\n",
      title, assets::sandbox::page_css, main_class, content);
}

// Currencies the table does not know are shown in minor units: the bank takes them all the same.
std::string money_text(Charge const& charge) {
  if (auto const currency = Currency::parse(charge.currency))
    return to_text(Money{.minor = charge.amount_minor, .currency = *currency});
  return fmt::format("{} {}", charge.amount_minor, charge.currency);
}

std::string_view state_zh(ChargeState state) {
  switch (state) {
    case ChargeState::pending: return "处理中";
    case ChargeState::requires_action: return "等待确认";
    case ChargeState::authorized: return "已授权";
    case ChargeState::succeeded: return "已支付";
    case ChargeState::declined: return "已拒绝";
    case ChargeState::closed: return "已关闭";
  }
  return {};
}

std::string_view state_en(ChargeState state) {
  return state == ChargeState::requires_action ? "waits for you" : to_text(state);
}

std::string state_html(Charge const& charge) {
  return fmt::format(R"(<span class="{}">{} · {}</span>)", to_text(charge.state), state_en(charge.state),
                     state_zh(charge.state));
}

std::string row_html(Charge const& charge) {
  std::string const number = escape_html(charge.number);
  return fmt::format(
      "<tr><td><a href=\"/pay/{0}\">{0}</a></td><td>{1}</td><td class=\"money\">{2}</td><td>{3}</td><td>{4}</td>"
      "<td>{5}</td></tr>\n",
      number, escape_html(charge.order), escape_html(money_text(charge)), escape_html(charge.method),
      state_html(charge), to_rfc3339(charge.created_at));
}

std::string table_html(std::string_view rows) {
  if (rows.empty()) return "<p class=\"note\">None. · 暂无。</p>";
  return fmt::format(
      "<div class=\"scroll\"><table><thead><tr><th>Number · 编号</th><th>Order · 订单</th><th>Amount · 金额</th>"
      "<th>Method · 方式</th><th>Status · 状态</th><th>Created · 创建时间</th></tr></thead>\n<tbody>\n{}</tbody>"
      "</table></div>",
      rows);
}

std::string buttons_html(std::string const& number) {
  return fmt::format(
      "<form method=\"post\" action=\"/pay/{0}/approve\"><button class=\"approve\">Approve · 确认支付</button></form>"
      "<form method=\"post\" action=\"/pay/{0}/refuse\"><button class=\"refuse\">Refuse · 拒绝</button></form>",
      number);
}

}  // namespace

std::string overview_page(Bank const& bank, std::string_view account) {
  std::string waiting;
  std::string latest;
  for (Charge const& charge : bank.charges() | std::views::reverse)
    if (charge.state == ChargeState::requires_action) waiting += row_html(charge);
  for (Charge const& charge : bank.charges() | std::views::reverse | std::views::take(latest_shown))
    latest += row_html(charge);
  return page("Sandbox bank · 沙箱银行", "",
              fmt::format("<h1>Sandbox bank · 沙箱银行</h1>\n<p class=\"note\">Account {} · no real money moves here · "
                          "此处不涉及真实资金</p>\n<h2>Waiting for a buyer · 等待买家确认</h2>\n{}\n"
                          "<h2>Latest charges · 最近的扣款</h2>\n{}",
                          escape_html(account), table_html(waiting), table_html(latest)));
}

std::string charge_page(Charge const& charge, std::string_view account, std::string_view return_url) {
  std::string const number = escape_html(charge.number);
  bool const waits = charge.state == ChargeState::requires_action;
  std::string const way_back = return_url.empty() || waits
                                   ? std::string{}
                                   : fmt::format("<p><a class=\"back\" href=\"{}\">Back to the shop · 返回商家</a></p>",
                                                 escape_html(return_url));
  return page("Pay · 支付", "narrow",
              fmt::format("<div class=\"card\">\n<h1>Sandbox bank · 沙箱银行</h1>\n"
                          "<p class=\"note\">No real money moves here. · 此处不涉及真实资金。</p>\n"
                          "<div class=\"amount\">{}</div>\n<dl><dt>Order · 订单</dt><dd>{}</dd>"
                          "<dt>Number · 编号</dt><dd>{}</dd><dt>To · 收款方</dt><dd>{}</dd>"
                          "<dt>Status · 状态</dt><dd>{}</dd></dl>\n{}{}\n</div>\n"
                          "<p class=\"note\"><a href=\"/\">All charges · 全部扣款</a></p>",
                          escape_html(money_text(charge)), escape_html(charge.order), number, escape_html(account),
                          state_html(charge), waits ? buttons_html(number) : std::string{}, way_back));
}

std::string no_charge_page(std::string_view number) {
  return page("Not found · 未找到", "narrow",
              fmt::format("<div class=\"card\"><h1>No such charge · 没有这笔扣款</h1><p>{}</p>"
                          "<p class=\"note\"><a href=\"/\">All charges · 全部扣款</a></p></div>",
                          escape_html(number)));
}

}  // namespace payonce::sandbox
