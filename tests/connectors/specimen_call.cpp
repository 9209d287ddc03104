#include "connectors/specimen_call.h"

#include "payment/call_kind.h"
#include "provider/registry.h"
#include "support/rules_world.h"

namespace payonce::test {

ProviderSettings specimen_settings(Specimen const& specimen, std::string const& url) {
  ProviderSettings settings = specimen.settings(url);
  settings.name = "it";
  settings.kind = specimen.kind();
  for (ProviderOption const& option : find_connector(settings.kind)->options)
    if (!option.fallback.empty())
      settings.options.try_emplace(std::string{option.name}, 1, std::string{option.fallback});
  settings.call_timeout = 2s;
  return settings;
}

ProviderCall specimen_call(Specimen const& specimen, ProviderTerms const& terms, CallKind kind, Time now) {
  ProviderCall call{.kind = kind,
                    .key = order_key(),
                    .attempt = attempt_in(AttemptState::processing, 1),
                    .refund = {},
                    .first_create = kind == CallKind::create};
  Attempt& attempt = call.attempt;
  attempt.provider = "it";
  attempt.method = specimen.method();
  attempt.amount = {1999, Currency::of(specimen.currency())};
  attempt.expires_at = now + 30min;
  attempt.first_sent_at = now;
  CaptureMode const mode = is_about_capture(kind) ? CaptureMode::manual : CaptureMode::automatic;
  attempt.request =
      terms.write_create({attempt.id, call.key.order, attempt.amount, attempt.method, attempt.expires_at, mode});
  if (kind != CallKind::create) attempt.provider_ref = specimen.provider_ref();
  if (is_about_capture(kind)) {
    call.capture = Capture{
        .id = capture_id(1), .attempt = attempt.id, .key = "k-c", .amount = {captured_minor, attempt.amount.currency}};
    call.capture->request = terms.write_capture(*call.capture, attempt);
    call.capture->created_at = now;
  }
  if (!is_about_refund(kind)) return call;
  call.refund = Refund{.id = refund_id(1),
                       .attempt = attempt.id,
                       .key = "k-r",
                       .reason = "line 1",
                       .amount = {500, attempt.amount.currency}};
  call.refund->request = terms.write_refund(*call.refund, attempt);
  call.refund->created_at = now;
  if (kind == CallKind::query_refund) call.refund->provider_ref = specimen.refund_ref();
  return call;
}

}  // namespace payonce::test
