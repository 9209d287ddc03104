#include "connectors/bench.h"

#include <cstdlib>
#include <stdexcept>

namespace payonce::test {

ConnectorBench::ConnectorBench(Specimen const& specimen, std::function<void(ProviderSettings&)> const& change)
    : specimen_(specimen) {
  ::setenv("no_proxy", "127.0.0.1", 1);
  auto server = HttpServer::listen(
      loop_, {}, [this](HttpRequest request, Respond respond) { answer(std::move(request), std::move(respond)); });
  if (!server) throw std::runtime_error(server.error().detail);
  server_ = std::move(*server);
  http_ = std::make_unique<CurlHttpClient>(loop_);
  ProviderSettings settings = specimen.settings("http://127.0.0.1:" + std::to_string(server_->port()));
  settings.name = "it";
  settings.kind = specimen.kind();
  // What the configuration fills in for options that are left out.
  for (ProviderOption const& option : find_connector(settings.kind)->options)
    if (!option.fallback.empty())
      settings.options.try_emplace(std::string{option.name}, 1, std::string{option.fallback});
  settings.call_timeout = 2s;
  change(settings);
  auto made = Providers::make({settings}, {*http_, loop_, clock, random_});
  if (!made) throw std::runtime_error(made.error().detail);
  providers_ = std::move(*made);
}

void ConnectorBench::answer(HttpRequest request, Respond respond) {
  if (auto prepared = specimen_.aside(request, *under_way_)) return respond(std::move(*prepared));
  requests.push_back(std::move(request));
  Reply reply{.response = {.drop = true}};
  if (!script.empty()) {
    reply = std::move(script.front());
    script.pop_front();
  }
  if (reply.is_silent) return held_.push_back(std::move(respond));
  respond(std::move(reply.response));
}

ProviderCall ConnectorBench::call_of(CallKind kind) const {
  ProviderTerms const& terms = provider().terms();
  ProviderCall call{.kind = kind,
                    .key = payonce::order_key(),
                    .attempt = attempt_in(AttemptState::processing, 1),
                    .refund = {},
                    .first_create = kind == CallKind::create};
  Attempt& attempt = call.attempt;
  attempt.provider = "it";
  attempt.method = specimen_.method();
  attempt.amount = {1999, Currency::of(specimen_.currency())};
  attempt.expires_at = clock.now() + 30min;
  attempt.first_sent_at = clock.now();
  attempt.request =
      terms.write_create({attempt.id, call.key.order, attempt.amount, attempt.method, attempt.expires_at});
  if (kind != CallKind::create) attempt.provider_ref = specimen_.provider_ref();
  if (kind != CallKind::refund && kind != CallKind::query_refund) return call;
  call.refund = Refund{.id = payonce::refund_id(1),
                       .attempt = attempt.id,
                       .key = "k-r",
                       .reason = "line 1",
                       .amount = {500, attempt.amount.currency}};
  call.refund->request = terms.write_refund(*call.refund, attempt);
  call.refund->created_at = clock.now();
  if (kind == CallKind::query_refund) call.refund->provider_ref = specimen_.refund_ref();
  return call;
}

Answer ConnectorBench::make(ProviderCall const& call) {
  under_way_ = call;
  std::optional<Answer> answer;
  auto const too_late = loop_.after(20s, [this] { loop_.stop(); });
  provider().call(call, [&](Answer said) {
    answer = std::move(said);
    loop_.stop();
  });
  loop_.run();
  loop_.cancel(too_late);
  if (!answer) throw std::runtime_error("the connector never answered");
  return *answer;
}

ProviderHealth ConnectorBench::health() const {
  ProviderHealth found;
  providers_.each_health([&](std::string const&, ProviderHealth const& health) { found = health; });
  return found;
}

}  // namespace payonce::test
