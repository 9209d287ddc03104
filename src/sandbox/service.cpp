#include "sandbox/service.h"

#include <fmt/format.h>

#include <utility>

#include "sandbox/alipay/alipay_dialect.h"
#include "sandbox/pages.h"
#include "sandbox/paypal/paypal_dialect.h"
#include "sandbox/stripe/stripe_dialect.h"
#include "sandbox/wechatpay/wechatpay_dialect.h"

namespace payonce::sandbox {

namespace {

// The pages need their own style and forms and nothing else, whatever a caller managed to write into them.
constexpr std::string_view page_policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'";

HttpResponse html_response(int status, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Cache-Control", "no-store"},
                      {"Content-Security-Policy", std::string{page_policy}}},
          .body = std::move(body)};
}

HttpResponse see(std::string const& path) { return {.status = 303, .headers = {{"Location", path}}, .body = {}}; }

HttpResponse not_found() {
  return error_response(404, "not_found", "The sandbox has no such page; see its reference.");
}

}  // namespace

Result<std::unique_ptr<SandboxService>> SandboxService::open(SandboxOptions options, Ports ports) {
  BankRules const rules{.forgetful = options.forgetful, .settle_delay = options.settle_delay};
  auto ledger = Ledger::open(options.data_path, rules, ports.loop, ports.random);
  if (!ledger) return std::unexpected(ledger.error());
  std::unique_ptr<SandboxService> service{new SandboxService(options, ports, std::move(*ledger))};
  if (options.keys_path.empty()) return service;
  auto keys = MerchantKeys::open(options.keys_path, ports.clock.now(), ports.random);
  if (!keys) return std::unexpected(keys.error());
  service->add_dialects(options, ports, std::move(*keys));
  return service;
}

SandboxService::SandboxService(SandboxOptions const& options, Ports const& ports, std::unique_ptr<Ledger> ledger)
    : context_{.account = options.account, .base_url = {}, .return_url = options.return_url},
      ledger_(std::move(ledger)),
      own_style_(options.account, options.notify_url, options.notice_secret, ports.clock),
      sender_({.retry_after = options.notice_retry, .tries_max = options.notice_tries_max}, ports.loop, styles_,
              ports.client, [this](std::string const& id) { ledger_->end_chain(id); }),
      teller_({.ledger = *ledger_,
               .faults = faults_,
               .sender = sender_,
               .loop = ports.loop,
               .clock = ports.clock,
               .random = ports.random,
               .styles = styles_,
               .kill_process = ports.kill_process}),
      payment_routes_(*ledger_, teller_, ports.clock, context_, options.api_secret),
      control_routes_({.ledger = *ledger_,
                       .faults = faults_,
                       .sender = sender_,
                       .styles = styles_,
                       .clock = ports.clock,
                       .random = ports.random,
                       .context = context_,
                       .seed = options.seed}) {}

void SandboxService::add_dialects(SandboxOptions const& options, Ports const& ports, MerchantKeys keys) {
  DialectParts const parts{.ledger = *ledger_,
                           .teller = teller_,
                           .clock = ports.clock,
                           .random = ports.random,
                           .base_url = context_.base_url,
                           .buyers_pay = options.buyers_pay,
                           .forgetful = options.forgetful};
  dialects_.push_back(std::make_unique<stripe::StripeDialect>(parts, keys.stripe, options.stripe_notify_url));
  dialects_.push_back(std::make_unique<alipay::AlipayDialect>(parts, keys.alipay));
  dialects_.push_back(std::make_unique<wechatpay::WechatpayDialect>(parts, keys.wechatpay));
  dialects_.push_back(std::make_unique<paypal::PaypalDialect>(parts, keys.paypal, options.paypal_notify_url));
  for (auto const& dialect : dialects_) styles_.add(dialect->name(), *dialect);
}

void SandboxService::handle(HttpRequest request, Respond respond) {
  auto const target = parse_target(request.target);
  if (!target) return respond(refusal(target.error()));
  for (auto const& dialect : dialects_)
    if (dialect->understands(request, *target)) return dialect->handle(request, *target, std::move(respond));
  std::string_view const first = target->segments.empty() ? std::string_view{} : target->segments.front();
  if (first == "v1") return payment_routes_.handle(request, *target, std::move(respond));
  if (first == "healthz") return respond(json_response(200, {{"status", "ok"}}));
  if (first.empty() || first == "pay") return handle_page(request, *target, std::move(respond));
  control_routes_.handle(request, *target, std::move(respond));
}

void SandboxService::handle_page(HttpRequest const& request, Target const& target, Respond respond) {
  auto const& path = target.segments;  // nothing, or "pay", number, verb
  if (path.empty() && request.method == "GET")
    return respond(html_response(200, overview_page(ledger_->bank(), context_.account)));
  if (path.size() == 2 && request.method == "GET") {
    ChargeReply const reply = ledger_->bank().query(path[1]);
    if (reply.charge.id.empty()) return respond(html_response(404, no_charge_page(path[1])));
    return respond(html_response(200, charge_page(reply.charge, context_.account, context_.return_url)));
  }
  bool const approved = path.size() == 3 && path[2] == "approve";
  if (request.method == "POST" && path.size() == 3 && (approved || path[2] == "refuse"))
    return end_by_buyer(path[1], approved, std::move(respond));
  respond(not_found());
}

// Back to the page afterwards, which then shows what became of the charge; a reload does not send the form again.
void SandboxService::end_by_buyer(std::string number, bool approved, Respond respond) {
  auto execute = [this, number = std::move(number), approved](Injection) {
    Bank& bank = ledger_->bank();
    ChargeReply const reply = approved ? bank.approve(number) : bank.refuse(number);
    if (reply.charge.id.empty()) return html_response(404, no_charge_page(number));
    return see(fmt::format("/pay/{}", number));
  };
  teller_.serve_person(std::move(execute), std::move(respond));
}

}  // namespace payonce::sandbox
