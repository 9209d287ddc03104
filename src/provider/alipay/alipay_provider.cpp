#include "provider/alipay/alipay_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "provider/alipay/classify.h"
#include "provider/alipay/codes.h"
#include "provider/alipay/keys.h"
#include "provider/alipay/notice.h"
#include "provider/alipay/requests.h"
#include "provider/alipay/statement.h"
#include "provider/beijing_time.h"
#include "provider/download.h"
#include "provider/errand.h"
#include "provider/spacing.h"

namespace payonce {

namespace alipay {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using ErrandPtr = std::shared_ptr<Errand>;

constexpr std::string_view query_method = "alipay.trade.query";
constexpr std::string_view bill_method = "alipay.data.dataservice.bill.downloadurl.query";
constexpr Millis least_spacing = 3s;  // between refunds of one trade

ProviderTerms terms_from(ProviderSettings const& settings, std::string_view name, Style const& style) {
  return {.name = name,
          .create_is_idempotent = true,
          .key_window = 15 * 24h,  // the longest life of an unpaid trade
          .request_life = settings.request_life.value_or(5min),
          .call_timeout = settings.call_timeout.value_or(15s),
          .close_is_proof = true,  // when it succeeds; a trade that is not there yet can't be closed
          .expiry_is_proof = true,
          .attempt_life = settings.attempt_life.value_or(15min),
          .refund_spacing = refund_spacing(settings, least_spacing),
          .statement_ready = settings.statement_ready_or(34h),  // ten in the morning of the day after
          .statement_zone = beijing_ahead,
          .retry_first = settings.retry_first.value_or(5s),
          .retry_longest = settings.retry_longest.value_or(15min),
          .unknown_alarm_after = settings.unknown_alarm_after.value_or(30min),
          .refuses = refuses,
          .write_create = [style](Charge const& charge) { return write_create(style, charge); },
          .write_refund = write_refund};
}

class AlipayProvider final : public Provider {
 public:
  AlipayProvider(ProviderSettings const& settings, ProviderParts const& parts)
      : settings_(settings),
        app_id_(settings_.option("app_id")),
        terms_(terms_from(
            settings_, settings_.name,
            {settings_.option("default_method"), settings_.option("precreate_product"), settings_.option("subject")})),
        keys_(settings_),
        requests_(settings_, keys_),
        parts_(parts) {}

  std::string problem() const {
    std::string const problem = keys_.problem();
    return problem.empty() ? spacing_problem(settings_, least_spacing) : problem;
  }

  ProviderTerms const& terms() const override { return terms_; }

  void call(ProviderCall const& call, Done done) override {
    auto errand = std::make_shared<Errand>(parts_.http, parts_.clock, call, std::move(done), terms_.call_timeout);
    std::string const trade = json::serialize(json::object{{"out_trade_no", call.attempt.id.value}});
    switch (call.kind) {
      case CallKind::create: return create(errand);
      case CallKind::query: return ask(errand, query_method, trade);
      case CallKind::close: return close(errand, trade);
      case CallKind::refund: return ask(errand, "alipay.trade.refund", call.refund->request);
      case CallKind::query_refund:
        return ask(errand, "alipay.trade.fastpay.refund.query",
                   json::serialize(json::object{{"out_trade_no", call.attempt.id.value},
                                                {"out_request_no", call.refund->id.value}}));
      case CallKind::capture:
      case CallKind::query_capture: return errand->finish(not_offered());
    }
  }

  Result<Notice> read_notice(HttpRequest const& request, Time) const override {
    return alipay::read_notice(request.body, keys_, app_id_, settings_.account);
  }

  // The address is good for half a minute.
  void fetch_statement(std::string const& day, Fetched done) override {
    std::string const content = json::serialize(json::object{{"bill_type", "trade"}, {"bill_date", day}});
    parts_.http.send(requests_.call(bill_method, content, parts_.clock.now()),
                     [this, done = std::move(done)](HttpAnswer const& answer) mutable {
                       auto address = bill_address(answer, response_key_of(bill_method), keys_);
                       if (!address) return done(std::unexpected(address.error()));
                       if (address->empty()) return done(std::nullopt);
                       download_statement(parts_.http, {.url = std::move(*address)}, std::move(done));
                     });
  }

  Result<Statement> read_statement(std::string_view file, std::string const& day) const override {
    return alipay::read_statement(file, day);
  }

  // Alipay reads these letters and nothing else.
  HttpResponse acknowledge(bool is_safe) const override {
    return {.headers = {{"Content-Type", "text/plain"}}, .body = is_safe ? "success" : "fail"};
  }

 private:
  void ask(ErrandPtr const& errand, std::string_view method, std::string const& biz_content) const {
    errand->send(requests_.call(method, biz_content, parts_.clock.now()),
                 [this, method](ErrandPtr const& same, HttpAnswer const& answer) {
                   same->finish(classify(same->call, method, answer, keys_));
                 });
  }

  // Only a QR code is asked for. Pages and apps are signed here, and Alipay hears of them when the buyer goes there.
  void create(ErrandPtr const& errand) const {
    std::string const& request = errand->call.attempt.request;
    std::string_view const method = create_method_of(request);
    if (method == "alipay.trade.precreate") return ask(errand, method, request);
    Answer answer;
    if (method.empty()) {
      answer.outcome = outcome_of(Meaning::not_taken, errand->call);
      answer.code = "method_unknown";
      answer.text = "the payment's method is none of page, wap, app and precreate; nothing was sent";
    } else {
      Time const now = parts_.clock.now();
      answer.outcome = Outcome::requires_action;
      answer.code = "signed";
      answer.text = "signed for " + std::string{method} + "; Alipay knows nothing of it until the buyer goes there";
      answer.action_url = method == "alipay.trade.app.pay" ? requests_.app_string(method, request, now)
                                                           : requests_.page_url(method, request, now);
    }
    parts_.loop.post([errand, answer = std::move(answer)]() mutable { errand->finish(std::move(answer)); });
  }

  // What can't be closed may be paid: that is asked at once, since a closing alone never finds it out.
  void close(ErrandPtr const& errand, std::string const& trade) const {
    constexpr std::string_view method = "alipay.trade.close";
    errand->send(requests_.call(method, trade, parts_.clock.now()),
                 [this, method, trade](ErrandPtr const& same, HttpAnswer const& answer) {
                   Answer meaning = classify(same->call, method, answer, keys_);
                   bool const must_ask = std::ranges::find(ask_after_close, meaning.code) != std::end(ask_after_close);
                   if (must_ask) return ask(same, query_method, trade);
                   same->finish(std::move(meaning));
                 });
  }

  ProviderSettings const settings_;
  std::string const app_id_;
  ProviderTerms const terms_;
  Keys const keys_;
  Requests const requests_;
  ProviderParts const parts_;
};

}  // namespace

}  // namespace alipay

Result<std::unique_ptr<Provider>> make_alipay_provider(ProviderSettings const& settings, ProviderParts const& parts) {
  auto provider = std::make_unique<alipay::AlipayProvider>(settings, parts);
  if (std::string const problem = provider->problem(); !problem.empty())
    return fail(ErrorCode::invalid_request, fmt::format("provider {}: {}", settings.name, problem));
  return provider;
}

}  // namespace payonce
