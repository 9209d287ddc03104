#include "provider/sandbox/sandbox_provider.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "provider/download.h"
#include "provider/json_fields.h"
#include "provider/sandbox/classify.h"
#include "provider/sandbox/statement.h"
#include "provider/timed_signature.h"

namespace payonce {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

std::string write_create(Charge const& charge) {
  json::object request{{"number", charge.number.value}, {"order", charge.order.value},
                       {"amount", charge.amount.minor}, {"currency", charge.amount.currency.code()},
                       {"method", charge.method},       {"expires_at", to_rfc3339(charge.expires_at)}};
  if (charge.capture == CaptureMode::manual) request["hold"] = true;
  return json::serialize(request);
}

std::string write_refund(Refund const& refund, Attempt const& attempt) {
  return json::serialize(json::object{{"number", refund.id.value},
                                      {"charge_number", attempt.id.value},
                                      {"amount", refund.amount.minor},
                                      {"currency", refund.amount.currency.code()},
                                      {"reason", refund.reason}});
}

std::string write_capture(Capture const& capture, Attempt const& attempt) {
  return json::serialize(json::object{{"number", capture.id.value},
                                      {"charge_number", attempt.id.value},
                                      {"amount", capture.amount.minor},
                                      {"currency", capture.amount.currency.code()},
                                      {"final", capture.is_final}});
}

ProviderTerms terms_from(ProviderSettings const& settings, std::string_view name) {
  return {
      .name = name,
      .create_is_idempotent = !settings.is_forgetful,
      .key_window = 24h,
      .request_life = settings.request_life.value_or(30s),
      .call_timeout = settings.call_timeout.value_or(10s),
      .close_is_proof = true,
      .attempt_life = settings.attempt_life.value_or(30min),
      .captures_max = 10,
      .hold_life = 24h * 7,
      .statement_ready = settings.statement_ready_or(Millis{0}),  // a day's statement can be had while the day goes on
      .retry_first = settings.retry_first.value_or(1s),
      .retry_longest = settings.retry_longest.value_or(15min),
      .unknown_alarm_after = settings.unknown_alarm_after.value_or(10min),
      .write_create = write_create,
      .write_refund = write_refund,
      .write_capture = write_capture};
}

class SandboxProvider final : public Provider {
 public:
  SandboxProvider(ProviderSettings const& settings, HttpClient& http)
      : settings_(settings), terms_(terms_from(settings_, settings_.name)), http_(http) {}

  ProviderTerms const& terms() const override { return terms_; }

  void call(ProviderCall const& call, Done done) override {
    auto answered = [call, account = settings_.account, done = std::move(done)](HttpAnswer const& answer) mutable {
      done(sandbox::classify(call, answer, account));
    };
    http_.send(request_for(call), std::move(answered));
  }

  Result<Notice> read_notice(HttpRequest const& request, Time now) const override {
    auto const checked = check_timed_signature(request, "Sandbox-Signature", settings_.notice_secrets, now);
    if (!checked) return std::unexpected(checked.error());
    return parse_notice(request.body);
  }

  void fetch_statement(std::string const& day, Fetched done) override {
    download_statement(http_, call_to("/v1/statements/" + day), std::move(done));
  }

  Result<Statement> read_statement(std::string_view file, std::string const&) const override {
    return sandbox::read_statement(file);
  }

  HttpResponse acknowledge(bool is_safe) const override {
    HttpResponse response;
    response.status = is_safe ? 200 : 503;
    return response;
  }

 private:
  HttpCall call_to(std::string const& path) const {
    HttpCall request;
    request.url = settings_.url + path;
    request.total_timeout = terms_.call_timeout;
    request.connect_timeout = terms_.call_timeout / 2;
    request.headers = {{"Content-Type", "application/json"}};
    if (!settings_.api_secret.empty())
      request.headers.push_back({"Authorization", "Bearer " + settings_.api_secret.line()});
    return request;
  }

  HttpCall request_for(ProviderCall const& call) const {
    HttpCall request = call_to("");
    std::string const& number = call.attempt.id.value;
    switch (call.kind) {
      case CallKind::create:
        request.method = "POST";
        request.url = settings_.url + "/v1/charges";
        request.headers.push_back({"Idempotency-Key", number});
        request.body = call.attempt.request;
        break;
      case CallKind::query:
        request.url = settings_.url + "/v1/charges/" + number;
        request.idempotent = true;
        break;
      case CallKind::close:
        request.method = "POST";
        request.url = settings_.url + "/v1/charges/" + number + "/close";
        break;
      case CallKind::refund:
        request.method = "POST";
        request.url = settings_.url + "/v1/refunds";
        request.headers.push_back({"Idempotency-Key", call.refund->id.value});
        request.body = call.refund->request;
        break;
      case CallKind::query_refund:
        request.url = settings_.url + "/v1/refunds/" + call.refund->id.value;
        request.idempotent = true;
        break;
      case CallKind::capture:
        request.method = "POST";
        request.url = settings_.url + "/v1/captures";
        request.headers.push_back({"Idempotency-Key", call.capture->id.value});
        request.body = call.capture->request;
        request.idempotent = true;
        break;
      case CallKind::query_capture:
        request.url = settings_.url + "/v1/captures/" + call.capture->id.value;
        request.idempotent = true;
        break;
    }
    return request;
  }

  Result<Notice> parse_notice(std::string const& body) const {
    boost::system::error_code error;
    auto const value = json::parse(body, error);
    auto const* object = error ? nullptr : value.if_object();
    if (!object) return fail(ErrorCode::invalid_request, "the notice is not a JSON object");
    Notice notice;
    notice.event_id = text_at(*object, "id");
    notice.number = text_at(*object, "number");
    notice.refund_number = text_at(*object, "refund_number");
    if (notice.event_id.empty() || notice.number.empty())
      return fail(ErrorCode::invalid_request, "the notice lacks id or number");
    notice.answer.outcome = sandbox::outcome_of(text_at(*object, "status"));
    notice.answer.code = text_at(*object, "type");
    notice.answer.provider_ref = text_at(*object, "charge_id");
    notice.answer.text = body;
    notice.answer.amount = money_in(*object);
    if (notice.answer.outcome == Outcome::succeeded && !notice.answer.amount)
      notice.answer.misfit = "the notice names no amount and currency that can be compared";
    if (text_at(*object, "account") != settings_.account)
      notice.answer.misfit = "the notice is about account " + text_at(*object, "account").substr(0, 64);
    return notice;
  }

  ProviderSettings const settings_;
  ProviderTerms const terms_;
  HttpClient& http_;
};

}  // namespace

Result<std::unique_ptr<Provider>> make_sandbox_provider(ProviderSettings const& settings, HttpClient& http) {
  if (settings.url.empty())
    return fail(ErrorCode::invalid_request, fmt::format("provider {}: set url to the bank's address", settings.name));
  return std::make_unique<SandboxProvider>(settings, http);
}

}  // namespace payonce
