#include "provider/paypal/paypal_provider.h"

#include <fmt/format.h>

#include "provider/answers.h"
#include "provider/errand.h"
#include "provider/json_fields.h"
#include "provider/paypal/amount.h"
#include "provider/paypal/classify.h"
#include "provider/paypal/notice.h"
#include "provider/paypal/requests.h"

namespace payonce {

namespace paypal {

namespace {

using namespace std::chrono_literals;
using ErrandPtr = std::shared_ptr<Errand>;

// PayPal knows a refund's request id for 45 days; a few less, since clocks and calls take their time.
constexpr auto refund_key_life = 40 * 24h;

ProviderTerms terms_from(ProviderSettings const& settings, std::string_view name, Style const& style) {
  return {.name = name,
          .create_is_idempotent = true,
          .key_window = 6h,  // https://developer.paypal.com/reference/guidelines/idempotency
          .request_life = settings.request_life.value_or(10min),
          .call_timeout = settings.call_timeout.value_or(30s),
          .close_is_proof = false,  // there is no closing
          .expiry_is_proof = true,  // as settled_by(): without its id nobody can agree to an order or capture it
          .attempt_life = settings.attempt_life.value_or(30min),
          .finds_by_number = false,
          .retry_first = settings.retry_first.value_or(1s),
          .retry_longest = settings.retry_longest.value_or(30s),  // what a buyer waits for after agreeing
          .unknown_alarm_after = settings.unknown_alarm_after.value_or(2h),
          .refuses = refuses,
          .write_create = [style](Charge const& charge) { return write_create(style, charge); },
          .write_refund = write_refund};
}

class PaypalProvider final : public Provider {
 public:
  PaypalProvider(ProviderSettings const& settings, ProviderParts const& parts)
      : settings_(settings),
        terms_(terms_from(settings_, settings_.name, {settings_.option("return_url"), settings_.option("cancel_url")})),
        requests_(settings_, parts.clock),
        keys_(settings_, parts.http, parts.clock),
        parts_(parts) {}

  std::string problem() const { return settings_.api_secret.empty() ? "api_secret: is missing" : keys_.problem(); }

  ProviderTerms const& terms() const override { return terms_; }

  void call(ProviderCall const& call, Done done) override {
    auto errand = std::make_shared<Errand>(parts_.http, parts_.clock, call, std::move(done), terms_.call_timeout);
    switch (call.kind) {
      case CallKind::create:
        return ask(errand, requests_.post("/v2/checkout/orders", call.attempt.request, call.attempt.id.value));
      case CallKind::query: return query(errand);
      case CallKind::close: return look(errand);
      case CallKind::refund: return refund(errand);
      case CallKind::query_refund: return query_refund(errand);
      case CallKind::capture:
      case CallKind::query_capture: return errand->finish(not_offered());
    }
  }

  Result<Notice> read_notice(HttpRequest const& request, Time) const override {
    if (auto const checked = keys_.check(request); !checked) return std::unexpected(checked.error());
    return parse_event(request.body);
  }

  // Refunds that PayPal's pages made name the capture alone, and so do some disputes; our number is in the capture.
  void name_number(Notice notice, Named done) override {
    HttpCall question = requests_.get("/v2/payments/captures/" + notice.about);
    auto const calls = std::make_shared<TimedCalls>(parts_.http, parts_.clock, terms_.call_timeout);
    requests_.send(calls, std::move(question),
                   [notice = std::move(notice), done = std::move(done)](HttpAnswer const& answer) mutable {
                     bool const is_unknown = answer.delivery == Delivery::answered && answer.status == 404;
                     bool const is_answer = answer.delivery == Delivery::answered && answer.status == 200;
                     auto const capture = is_answer ? parse_object(answer.body) : std::nullopt;
                     if (!capture && !is_unknown) return done(std::nullopt);
                     if (capture) notice.number = parse_mark(text_at(*capture, "custom_id")).payment;
                     done(std::move(notice));
                   });
  }

  HttpResponse acknowledge(bool is_safe) const override {
    HttpResponse response;
    response.status = is_safe ? 200 : 503;
    return response;
  }

 private:
  static std::string path_of(Attempt const& attempt) { return "/v2/checkout/orders/" + attempt.provider_ref; }

  // One request whose answer is the errand's.
  void ask(ErrandPtr const& errand, HttpCall request) {
    requests_.send(errand, std::move(request), [this, errand](HttpAnswer const& answer) {
      errand->finish(classify(errand->call, answer, parts_.clock.now()));
    });
  }

  void look(ErrandPtr const& errand) {
    if (errand->call.attempt.provider_ref.empty()) return finish_later(errand, id_unknown());
    ask(errand, requests_.get(path_of(errand->call.attempt)));
  }

  // PayPal has no question by our number. Without its id an order can neither be agreed to nor captured.
  static Answer id_unknown() {
    Answer answer;
    answer.outcome = Outcome::not_found;
    answer.code = "id_unknown";
    answer.text = "PayPal's answer with the order's id never reached us";
    return answer;
  }

  void finish_later(ErrandPtr const& errand, Answer answer) {
    parts_.loop.post([errand, answer = std::move(answer)]() mutable { errand->finish(std::move(answer)); });
  }

  void query(ErrandPtr const& errand) {
    Attempt const& attempt = errand->call.attempt;
    bool const is_wanted = !attempt.cancel_requested && parts_.clock.now() < attempt.expires_at;
    if (attempt.provider_ref.empty() || !is_wanted) return look(errand);
    requests_.send(errand, requests_.get(path_of(attempt)), [this, errand](HttpAnswer const& answer) {
      Answer meaning = classify(errand->call, answer, parts_.clock.now());
      if (meaning.code != "APPROVED") return errand->finish(std::move(meaning));
      capture(errand);
    });
  }

  // The buyer has agreed, and the money moves when we say so. PayPal captures an order once, whatever the request id;
  // the id is another each time, since under one it repeats a refusal that the buyer has meanwhile cured.
  void capture(ErrandPtr const& errand) {
    Attempt const& attempt = errand->call.attempt;
    ask(errand, requests_.post(path_of(attempt) + "/capture", "{}",
                               fmt::format("{}-capture-{}", attempt.id.value, attempt.tries)));
  }

  // A refund is of a capture, whose id the order knows.
  void refund(ErrandPtr const& errand) {
    requests_.send(errand, requests_.get(path_of(errand->call.attempt)), [this, errand](HttpAnswer const& answer) {
      auto const order =
          answer.delivery == Delivery::answered && answer.status == 200 ? parse_object(answer.body) : std::nullopt;
      std::string const id = order ? capture_of(*order) : std::string{};
      Refund const& refund = *errand->call.refund;
      if (!id.empty())
        return ask(errand, requests_.post("/v2/payments/captures/" + id + "/refund", refund.request, refund.id.value));
      Answer unsent;
      unsent.outcome = Outcome::not_sent;
      unsent.code = "capture_unknown";
      unsent.text = "the refund was not sent, because PayPal did not say which capture it is of: " +
                    (answer.body.empty() ? answer.error : answer.body);
      errand->finish(std::move(unsent));
    });
  }

  // Only by PayPal's id. Without it the same refund is sent again, for as long as PayPal surely knows its request id.
  void query_refund(ErrandPtr const& errand) {
    Refund const& refund = *errand->call.refund;
    if (!refund.provider_ref.empty()) return ask(errand, requests_.get("/v2/payments/refunds/" + refund.provider_ref));
    Answer answer = id_unknown();
    if (parts_.clock.now() - refund.created_at > refund_key_life) answer.outcome = Outcome::in_doubt;
    finish_later(errand, std::move(answer));
  }

  ProviderSettings const settings_;
  ProviderTerms const terms_;
  Requests requests_;
  SigningKeys const keys_;
  ProviderParts const parts_;
};

}  // namespace

}  // namespace paypal

Result<std::unique_ptr<Provider>> make_paypal_provider(ProviderSettings const& settings, ProviderParts const& parts) {
  auto provider = std::make_unique<paypal::PaypalProvider>(settings, parts);
  if (std::string const problem = provider->problem(); !problem.empty())
    return fail(ErrorCode::invalid_request, fmt::format("provider {}: {}", settings.name, problem));
  return provider;
}

}  // namespace payonce
