#include "sandbox/service.h"

#include <fmt/format.h>

#include <utility>

#include "sandbox/pages.h"

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
  return std::unique_ptr<SandboxService>{new SandboxService(options, ports, std::move(*ledger))};
}

SandboxService::SandboxService(SandboxOptions const& options, Ports const& ports, std::unique_ptr<Ledger> ledger)
    : context_{.account = options.account, .base_url = {}, .return_url = options.return_url},
      ledger_(std::move(ledger)),
      sender_({.url = options.notify_url,
               .secret = options.notice_secret,
               .retry_after = options.notice_retry,
               .tries_max = options.notice_tries_max},
              ports.loop, ports.clock, ports.client, [this](std::string const& id) { ledger_->end_chain(id); }),
      teller_({.ledger = *ledger_,
               .faults = faults_,
               .sender = sender_,
               .loop = ports.loop,
               .clock = ports.clock,
               .random = ports.random,
               .account = options.account,
               .kill_process = ports.kill_process}),
      payment_routes_(*ledger_, teller_, ports.clock, context_, options.api_secret),
      control_routes_({.ledger = *ledger_,
                       .faults = faults_,
                       .sender = sender_,
                       .clock = ports.clock,
                       .random = ports.random,
                       .context = context_,
                       .seed = options.seed}) {}

void SandboxService::handle(HttpRequest request, Respond respond) {
  auto const target = parse_target(request.target);
  if (!target) return respond(refusal(target.error()));
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
