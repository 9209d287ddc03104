#include "provider/stripe/stripe_provider.h"

#include <fmt/format.h>

#include "provider/errand.h"
#include "provider/json_fields.h"
#include "provider/stripe/amount.h"
#include "provider/stripe/classify.h"
#include "provider/stripe/notice.h"
#include "provider/stripe/requests.h"
#include "provider/stripe/search.h"
#include "provider/stripe/statement.h"
#include "provider/timed_signature.h"

namespace payonce {

namespace stripe {

namespace {

using namespace std::chrono_literals;
using ErrandPtr = std::shared_ptr<Errand>;

// How far Stripe's clock may be behind ours when it notes when a payment was created.
constexpr auto created_margin = 10min;

ProviderTerms terms_from(ProviderSettings const& settings, std::string_view name, Style const& style) {
  return {.name = name,
          .create_is_idempotent = true,
          .key_window = 24h,  // https://docs.stripe.com/api/idempotent_requests
          .request_life = settings.request_life.value_or(60s),
          .call_timeout = settings.call_timeout.value_or(30s),
          .close_is_proof = true,
          .attempt_life = settings.attempt_life.value_or(30min),
          .finds_by_number = false,
          .captures_max = 1,
          .hold_life = 24h * 7,  // https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
          .statement_ready = settings.statement_ready_or(25h),  // entries are there as money moves
          .retry_first = settings.retry_first.value_or(1s),
          .retry_longest = settings.retry_longest.value_or(15min),
          .unknown_alarm_after = settings.unknown_alarm_after.value_or(10min),
          .refuses = refuses,
          .write_create = [style](Charge const& charge) { return write_create(style, charge); },
          .write_refund = write_refund,
          .write_capture = write_capture};
}

class StripeProvider final : public Provider {
 public:
  StripeProvider(ProviderSettings const& settings, ProviderParts const& parts)
      : settings_(settings),
        style_{settings.option("return_url"), settings.option("confirmation") == "manual"},
        terms_(terms_from(settings_, settings_.name, style_)),
        requests_(settings_),
        parts_(parts) {}

  ProviderTerms const& terms() const override { return terms_; }

  void call(ProviderCall const& call, Done done) override {
    auto errand = std::make_shared<Errand>(parts_.http, parts_.clock, call, std::move(done), terms_.call_timeout);
    switch (call.kind) {
      case CallKind::create:
        return ask(errand, requests_.post("/v1/payment_intents", call.attempt.request, call.attempt.id.value));
      case CallKind::query: return query(errand);
      case CallKind::close: return close(errand);
      case CallKind::refund:
        return ask(errand, requests_.post("/v1/refunds", call.refund->request, call.refund->id.value));
      case CallKind::query_refund: return query_refund(errand);
      // The payment's id is known: its hold came with it.
      case CallKind::capture:
        return ask(errand, requests_.post("/v1/payment_intents/" + call.attempt.provider_ref + "/capture",
                                          call.capture->request, call.capture->id.value));
      case CallKind::query_capture:
        return ask(errand, requests_.get("/v1/payment_intents/" + call.attempt.provider_ref));
    }
  }

  Result<Notice> read_notice(HttpRequest const& request, Time now) const override {
    auto const checked = check_timed_signature(request, "Stripe-Signature", settings_.notice_secrets, now);
    if (!checked) return std::unexpected(checked.error());
    return parse_event(request.body, settings_.account, requests_.is_live());
  }

  // Disputes, and refunds that the dashboard made, name the intent alone; our number is in the intent's metadata.
  void name_number(Notice notice, Named done) override {
    HttpCall question = requests_.get("/v1/payment_intents/" + notice.about);
    question.total_timeout = terms_.call_timeout;
    parts_.http.send(std::move(question),
                     [notice = std::move(notice), done = std::move(done)](HttpAnswer const& answer) mutable {
                       bool const is_unknown = answer.delivery == Delivery::answered && answer.status == 404;
                       bool const is_answer = answer.delivery == Delivery::answered && answer.status == 200;
                       auto const intent = is_answer ? parse_object(answer.body) : std::nullopt;
                       if (!intent && !is_unknown) return done(std::nullopt);
                       if (intent) notice.number = metadata_at(*intent, payment_key);
                       done(std::move(notice));
                     });
  }

  void fetch_statement(std::string const& day, Fetched done) override {
    fetch_balance(parts_.http, requests_, day, std::move(done));
  }

  Result<Statement> read_statement(std::string_view file, std::string const&) const override {
    return read_balance(file);
  }

  HttpResponse acknowledge(bool is_safe) const override {
    HttpResponse response;
    response.status = is_safe ? 200 : 503;
    return response;
  }

 private:
  // One request whose answer is the errand's.
  void ask(ErrandPtr const& errand, HttpCall request) const {
    errand->send(std::move(request), [is_live = requests_.is_live()](ErrandPtr const& same, HttpAnswer const& answer) {
      same->finish(classify(same->call, answer, is_live));
    });
  }

  void query(ErrandPtr const& errand) const {
    if (errand->call.attempt.provider_ref.empty())
      return find_payment(
          errand, [this](ErrandPtr const& same, std::string const&, Answer answer) { go_on(same, std::move(answer)); });
    errand->send(requests_.get("/v1/payment_intents/" + errand->call.attempt.provider_ref),
                 [this](ErrandPtr const& same, HttpAnswer const& answer) {
                   go_on(same, classify(same->call, answer, requests_.is_live()));
                 });
  }

  // What the buyer has agreed to on another page, and Stripe leaves to us to confirm. A payment that is being given up
  // is left as it is.
  void go_on(ErrandPtr const& errand, Answer answer) const {
    Attempt const& attempt = errand->call.attempt;
    bool const is_wanted = !attempt.cancel_requested && parts_.clock.now() < attempt.expires_at;
    bool const waits_for_us = style_.confirms_manually && answer.code == "requires_confirmation";
    if (!waits_for_us || !is_wanted) return errand->finish(std::move(answer));
    ask(errand,
        requests_.post("/v1/payment_intents/" + answer.provider_ref + "/confirm", {}, key_of("confirm", attempt)));
  }

  void close(ErrandPtr const& errand) const {
    if (!errand->call.attempt.provider_ref.empty()) return cancel(errand, errand->call.attempt.provider_ref);
    find_payment(errand, [this](ErrandPtr const& same, std::string const& id, Answer answer) {
      if (id.empty()) return same->finish(std::move(answer));
      cancel(same, id);
    });
  }

  void cancel(ErrandPtr const& errand, std::string const& id) const {
    ask(errand, requests_.post("/v1/payment_intents/" + id + "/cancel", {}, key_of("cancel", errand->call.attempt)));
  }

  // A key for each time we come back to it: under one key Stripe would repeat the refusal of a moment that has passed.
  static std::string key_of(std::string_view what, Attempt const& attempt) {
    return fmt::format("{}-{}-{}", attempt.id.value, what, attempt.tries);
  }

  // The payment of our number, by its id and as it stands; no id if it was not found.
  void find_payment(ErrandPtr const& errand,
                    std::move_only_function<void(ErrandPtr, std::string, Answer)> found) const {
    Attempt const& attempt = errand->call.attempt;
    Time const since = attempt.first_sent_at.value_or(attempt.created_at) - created_margin;
    Search wanted{fmt::format("/v1/payment_intents?created%5Bgte%5D={}", to_epoch_ms(since) / 1'000),
                  std::string{payment_key}, attempt.id.value};
    search(requests_, errand, std::move(wanted),
           [this, found = std::move(found)](ErrandPtr same, std::optional<boost::json::object> object,
                                            Answer absence) mutable {
             if (!object) return found(std::move(same), {}, std::move(absence));
             found(std::move(same), text_at(*object, "id"), read_intent(*object, requests_.is_live()));
           });
  }

  void query_refund(ErrandPtr const& errand) const {
    Refund const& refund = *errand->call.refund;
    if (!refund.provider_ref.empty()) return ask(errand, requests_.get("/v1/refunds/" + refund.provider_ref));
    Search wanted{"/v1/refunds?payment_intent=" + errand->call.attempt.provider_ref, std::string{refund_key},
                  refund.id.value};
    search(requests_, errand, std::move(wanted),
           [](ErrandPtr const& same, std::optional<boost::json::object> object, Answer absence) {
             same->finish(object ? read_refund(*object) : std::move(absence));
           });
  }

  ProviderSettings const settings_;
  Style const style_;
  ProviderTerms const terms_;
  Requests const requests_;
  ProviderParts const parts_;
};

}  // namespace

}  // namespace stripe

Result<std::unique_ptr<Provider>> make_stripe_provider(ProviderSettings const& settings, ProviderParts const& parts) {
  if (settings.api_secret.empty())
    return fail(ErrorCode::invalid_request,
                fmt::format("provider {}: set api_secret to the account's secret key", settings.name));
  return std::make_unique<stripe::StripeProvider>(settings, parts);
}

}  // namespace payonce
