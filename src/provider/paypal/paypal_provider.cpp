#include "provider/paypal/paypal_provider.h"

#include <fmt/format.h>

#include "provider/answers.h"
#include "provider/errand.h"
#include "provider/json_fields.h"
#include "provider/paypal/amount.h"
#include "provider/paypal/classify.h"
#include "provider/paypal/holds.h"
#include "provider/paypal/notice.h"
#include "provider/paypal/postback.h"
#include "provider/paypal/requests.h"

namespace payonce {

namespace paypal {

namespace {

using namespace std::chrono_literals;
using ErrandPtr = std::shared_ptr<Errand>;

// PayPal knows the request id of a refund or of a capture of a hold for 45 days; a few less, since clocks and calls
// take their time.
constexpr auto request_id_life = 40 * 24h;
// Of one hold, where the account may make several. PayPal says itself if it takes fewer.
constexpr int captures_max = 10;

ProviderTerms terms_from(ProviderSettings const& settings, std::string_view name, Style const& style) {
  return {.name = name,
          .create_is_idempotent = true,
          .key_window = 6h,  // https://developer.paypal.com/reference/guidelines/idempotency
          .request_life = settings.request_life.value_or(10min),
          .call_timeout = settings.call_timeout.value_or(30s),
          .close_is_proof = true,   // when it succeeds, of what is held; an order can't be closed
          .expiry_is_proof = true,  // as settled_by(): without its id nobody can agree to an order or capture it
          .attempt_life = settings.attempt_life.value_or(30min),
          .finds_by_number = false,
          .captures_max = settings.option("captures") == "several" ? captures_max : 1,
          .hold_life = 29 * 24h,  // https://developer.paypal.com/payment-methods/auth-honor
          .retry_first = settings.retry_first.value_or(1s),
          .retry_longest = settings.retry_longest.value_or(30s),  // what a buyer waits for after agreeing
          .unknown_alarm_after = settings.unknown_alarm_after.value_or(2h),
          .refuses = refuses,
          .write_create = [style](Charge const& charge) { return write_create(style, charge); },
          .write_refund = write_refund,
          .write_capture = write_capture};
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
      case CallKind::close: return close(errand);
      case CallKind::refund: return refund(errand);
      case CallKind::query_refund: return query_refund(errand);
      case CallKind::capture: return capture(errand);
      case CallKind::query_capture: return query_capture(errand);
    }
  }

  Result<Notice> read_notice(HttpRequest const& request, Time) const override {
    bool const asks = settings_.option("webhook_check") == "postback";
    auto const checked = asks ? keys_.check_headers(request) : keys_.check(request);
    if (!checked) return std::unexpected(checked.error());
    auto notice = parse_event(request.body);
    if (notice) notice->is_unproven = asks;
    return notice;
  }

  void vouch(HttpRequest const& request, Vouched done) override {
    auto const calls = std::make_shared<TimedCalls>(parts_.http, parts_.clock, terms_.call_timeout);
    requests_.send(calls, requests_.question(postback_path, postback(request, settings_.option("webhook_id"))),
                   [done = std::move(done)](HttpAnswer const& answer) mutable { done(read_postback(answer)); });
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
  using Looked = std::move_only_function<void(HttpAnswer const& answer, std::optional<boost::json::object> order)>;

  static std::string path_of(Attempt const& attempt) { return "/v2/checkout/orders/" + attempt.provider_ref; }

  // One request whose answer is the errand's.
  void ask(ErrandPtr const& errand, HttpCall request) {
    requests_.send(errand, std::move(request), [this, errand](HttpAnswer const& answer) { finish(errand, answer); });
  }
  void finish(ErrandPtr const& errand, HttpAnswer const& answer) {
    errand->finish(classify(errand->call, answer, parts_.clock.now()));
  }

  // How the order stands; `order` is empty unless the answer is this payment's.
  void look(ErrandPtr const& errand, Looked then) {
    Attempt const& attempt = errand->call.attempt;
    requests_.send(errand, requests_.get(path_of(attempt)),
                   [errand, then = std::move(then)](HttpAnswer const& answer) mutable {
                     then(answer, order_in(answer, errand->call.attempt.id));
                   });
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

  // Nothing left for PayPal, since it did not say what to send it about.
  static void finish_unsent(ErrandPtr const& errand, std::string_view what, HttpAnswer const& answer) {
    Answer unsent;
    unsent.outcome = Outcome::not_sent;
    unsent.code = fmt::format("{}_unknown", what);
    unsent.text = fmt::format("nothing was sent, because PayPal did not say which {} it is of: {}", what,
                              answer.body.empty() ? answer.error : answer.body);
    errand->finish(std::move(unsent));
  }

  void query(ErrandPtr const& errand) {
    Attempt const& attempt = errand->call.attempt;
    if (attempt.provider_ref.empty()) return finish_later(errand, id_unknown());
    look(errand, [this, errand](HttpAnswer const& answer, std::optional<boost::json::object> const& order) {
      Attempt const& attempt = errand->call.attempt;
      bool const is_wanted = !attempt.cancel_requested && parts_.clock.now() < attempt.expires_at;
      bool const waits_for_us = order && text_at(*order, "status") == "APPROVED";
      if (!waits_for_us || !is_wanted) return finish(errand, answer);
      complete(errand, holds(*order) ? "authorize" : "capture");
    });
  }

  // The buyer has agreed, and the money moves, or is held, when we say so. PayPal does it once to an order, whatever
  // the request id; the id is another each time, since under one it repeats a refusal that the buyer has meanwhile
  // cured.
  void complete(ErrandPtr const& errand, std::string_view verb) {
    Attempt const& attempt = errand->call.attempt;
    ask(errand, requests_.post(fmt::format("{}/{}", path_of(attempt), verb), "{}",
                               fmt::format("{}-{}-{}", attempt.id.value, verb, attempt.tries)));
  }

  // An order can't be closed, but what it holds can be let go. Whatever PayPal answers to that, the order tells.
  void close(ErrandPtr const& errand) {
    Attempt const& attempt = errand->call.attempt;
    if (attempt.provider_ref.empty()) return finish_later(errand, id_unknown());
    look(errand, [this, errand](HttpAnswer const& answer, std::optional<boost::json::object> const& order) {
      auto const* hold = order ? authorization_in(*order) : nullptr;
      Outcome const standing = hold ? read_hold(*order, parts_.clock.now()).outcome : Outcome::in_doubt;
      if (standing != Outcome::authorized) return finish(errand, answer);
      Attempt const& attempt = errand->call.attempt;
      HttpCall let_go =
          requests_.post(path_of_hold(*hold, "void"), "{}", fmt::format("{}-void-{}", attempt.id.value, attempt.tries));
      requests_.send(errand, std::move(let_go), [this, errand](HttpAnswer const&) {
        look(errand, [this, errand](HttpAnswer const& after, auto const&) { finish(errand, after); });
      });
    });
  }

  static std::string path_of_hold(boost::json::object const& hold, std::string_view verb) {
    return fmt::format("/v2/payments/authorizations/{}/{}", text_at(hold, "id"), verb);
  }

  // A capture is of an authorization, whose id the order knows.
  void capture(ErrandPtr const& errand) {
    look(errand, [this, errand](HttpAnswer const& answer, std::optional<boost::json::object> const& order) {
      auto const* hold = order ? authorization_in(*order) : nullptr;
      if (!hold) return finish_unsent(errand, "authorization", answer);
      Capture const& capture = *errand->call.capture;
      ask(errand, requests_.post(path_of_hold(*hold, "capture"), capture.request, capture.id.value));
    });
  }

  // One that the order does not show is sent again, for as long as PayPal surely knows its request id.
  void query_capture(ErrandPtr const& errand) {
    look(errand, [this, errand](HttpAnswer const& answer, std::optional<boost::json::object> const& order) {
      if (!order) return finish(errand, answer);
      Capture const& capture = *errand->call.capture;
      Answer found = read_capture_of(*order, capture.id);
      bool const may_be_sent = parts_.clock.now() - capture.created_at < request_id_life;
      if (found.outcome == Outcome::not_found && !may_be_sent) found.outcome = Outcome::in_doubt;
      errand->finish(std::move(found));
    });
  }

  // A refund is of a capture, whose id the order knows.
  void refund(ErrandPtr const& errand) {
    look(errand, [this, errand](HttpAnswer const& answer, std::optional<boost::json::object> const& order) {
      Refund const& refund = *errand->call.refund;
      if (auto const* known = order ? refund_in(*order, refund.id) : nullptr)
        return errand->finish(read_refund(*known));
      if (!order || !has_captures(*order)) return finish_unsent(errand, "capture", answer);
      RefundTarget const target = target_of(*order, refund);
      if (target.capture_id.empty()) return errand->finish(too_large(errand->call, answer));
      ask(errand,
          requests_.post("/v2/payments/captures/" + target.capture_id + "/refund", refund.request, target.request_id));
    });
  }

  static Answer too_large(ProviderCall const& call, HttpAnswer const& order) {
    Answer answer;
    answer.outcome = outcome_of(Meaning::not_taken, call);
    answer.code = "no_capture_left";
    answer.text = "PayPal gives back one capture at a time, and none of this payment has so much left: " + order.body;
    return answer;
  }

  // Only by PayPal's id. Without it the same refund is sent again, for as long as PayPal surely knows its request id.
  void query_refund(ErrandPtr const& errand) {
    Refund const& refund = *errand->call.refund;
    if (!refund.provider_ref.empty()) return ask(errand, requests_.get("/v2/payments/refunds/" + refund.provider_ref));
    Answer answer = id_unknown();
    if (parts_.clock.now() - refund.created_at > request_id_life) answer.outcome = Outcome::in_doubt;
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
