#include "provider/wechatpay/wechatpay_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/log.h"
#include "net/url.h"
#include "provider/beijing_time.h"
#include "provider/download.h"
#include "provider/errand.h"
#include "provider/json_fields.h"
#include "provider/spacing.h"
#include "provider/wechatpay/classify.h"
#include "provider/wechatpay/codes.h"
#include "provider/wechatpay/keys.h"
#include "provider/wechatpay/notice.h"
#include "provider/wechatpay/requests.h"
#include "provider/wechatpay/statement.h"

namespace payonce {

namespace wechatpay {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using ErrandPtr = std::shared_ptr<Errand>;

constexpr auto pause_between_downloads = 1min;
constexpr std::size_t certificates_bytes_max = 256 * 1024;  // one is 2 KiB, and there are two while they change
constexpr Millis least_spacing = 1min;                      // between refunds of one order

ProviderTerms terms_from(ProviderSettings const& settings, std::string_view name, Style const& style) {
  return {
      .name = name,
      .create_is_idempotent = true,
      .key_window = 15 * 24h,  // a number is one order for ever; an unpaid one lives for 15 days at most
      .request_life = settings.request_life.value_or(5min),
      .call_timeout = settings.call_timeout.value_or(15s),
      .close_is_proof = true,
      .expiry_is_proof = true,
      .attempt_life = settings.attempt_life.value_or(15min),
      .refund_spacing = refund_spacing(settings, least_spacing),
      .refunds_max = 50,
      .statement_ready = settings.statement_ready_or(34h),  // ten in the morning of the day after
      .statement_zone = beijing_ahead,
      .retry_first = settings.retry_first.value_or(5s),
      .retry_longest = settings.retry_longest.value_or(15min),
      .unknown_alarm_after = settings.unknown_alarm_after.value_or(30min),
      .refuses = refuses,
      .write_create = [style](Charge const& charge) { return write_create(style, charge); },
      .write_refund = [url = style.notify_url](Refund const& refund,
                                               Attempt const& attempt) { return write_refund(url, refund, attempt); }};
}

class WechatPayProvider final : public Provider {
 public:
  WechatPayProvider(ProviderSettings const& settings, ProviderParts const& parts)
      : settings_(settings),
        owner_{settings_.option("app_id"), settings_.option("mch_id")},
        terms_(terms_from(settings_, settings_.name,
                          {owner_.app_id, owner_.mch_id, settings_.option("notify_url"),
                           settings_.option("description"), settings_.option("default_method")})),
        keys_(settings_),
        requests_(settings_, keys_, parts.clock, parts.random),
        parts_(parts) {}

  std::string problem() const {
    if (std::string problem = keys_.problem(); !problem.empty()) return problem;
    std::string const address = settings_.option("notify_url");
    bool const is_secret = address.starts_with("https://") || is_on_this_machine(address);
    if (!is_secret || address.contains('?'))
      return "notify_url: must be https://… without a query; http:// only on this machine";
    return spacing_problem(settings_, least_spacing);
  }

  ProviderTerms const& terms() const override { return terms_; }

  void call(ProviderCall const& call, Done done) override {
    auto errand = std::make_shared<Errand>(parts_.http, parts_.clock, call, std::move(done), terms_.call_timeout);
    switch (call.kind) {
      case CallKind::create: return create(errand);
      case CallKind::query: return ask(errand);
      case CallKind::close: return close(errand);
      case CallKind::refund: return send(errand, requests_.post("/v3/refund/domestic/refunds", call.refund->request));
      case CallKind::query_refund:
        return send(errand, requests_.get("/v3/refund/domestic/refunds/" + call.refund->id.value));
      case CallKind::capture:
      case CallKind::query_capture: return errand->finish(not_offered());
    }
  }

  Result<Notice> read_notice(HttpRequest const& request, Time now) const override {
    learn_key(request.headers);
    return wechatpay::read_notice(request, keys_, owner_, now);
  }

  // The address is good for half a minute. The file is not signed; its hash is.
  void fetch_statement(std::string const& day, Fetched done) override {
    parts_.http.send(requests_.get("/v3/bill/tradebill?bill_date=" + day + "&bill_type=ALL"),
                     [this, done = std::move(done)](HttpAnswer const& answer) mutable {
                       if (answer.delivery == Delivery::answered) learn_key(answer.headers);
                       auto address = bill_address(answer, keys_, parts_.clock.now());
                       if (!address) return done(std::unexpected(address.error()));
                       if (address->path.empty()) return done(std::nullopt);
                       auto checked = [hash = std::move(address->sha1_hex),
                                       done = std::move(done)](Result<std::optional<std::string>> file) mutable {
                         auto const right = file ? check_hash(**file, hash) : Result<void>{};
                         if (!right) return done(std::unexpected(right.error()));
                         done(std::move(file));
                       };
                       download_statement(parts_.http, requests_.get(address->path), std::move(checked));
                     });
  }

  Result<Statement> read_statement(std::string_view file, std::string const& day) const override {
    return wechatpay::read_statement(file, day);
  }

  HttpResponse acknowledge(bool is_safe) const override {
    if (is_safe) return {.status = 204};
    return {.status = 503,
            .headers = {{"Content-Type", "application/json"}},
            .body = R"({"code":"FAIL","message":"not stored, send it again"})"};
  }

 private:
  // WeChat Pay changes its platform certificates before they end, and names the one of each message. What is signed by
  // one we lack is not believed; but it is fetched, and the message comes again or is asked for again.
  void learn_key(HttpHeaders const& headers) const {
    auto const id = find_header(headers, "Wechatpay-Serial");
    if (!id || id->starts_with("PUB_KEY_ID_") || keys_.has(*id)) return;
    auto const now = parts_.clock.monotonic();
    if (now < next_download_at_) return;  // anybody may name keys
    next_download_at_ = now + pause_between_downloads;
    HttpCall request = requests_.get("/v3/certificates");
    request.answer_bytes_max = certificates_bytes_max;
    parts_.http.send(std::move(request), [this](HttpAnswer const& answer) {
      if (answer.delivery != Delivery::answered || answer.status != 200)
        return log_warn("WeChat Pay's certificates can't be fetched: {} {}", answer.status, answer.error);
      auto const taken = keys_.take_certificates(answer.headers, answer.body, parts_.clock.now());
      if (!taken) log_error("WeChat Pay's certificates are not taken over: {}", taken.error().detail);
    });
  }

  Answer read(Errand const& errand, bool is_question, HttpAnswer const& answer) const {
    if (answer.delivery == Delivery::answered) learn_key(answer.headers);
    return classify(errand.call, is_question, answer, keys_, owner_, parts_.clock.now());
  }

  void send(ErrandPtr const& errand, HttpCall request) const {
    errand->send(std::move(request),
                 [this](ErrandPtr const& same, HttpAnswer const& answer) { same->finish(read(*same, false, answer)); });
  }

  void ask(ErrandPtr const& errand) const {
    std::string const path =
        "/v3/pay/transactions/out-trade-no/" + errand->call.attempt.id.value + "?mchid=" + owner_.mch_id;
    errand->send(requests_.get(path),
                 [this](ErrandPtr const& same, HttpAnswer const& answer) { same->finish(read(*same, true, answer)); });
  }

  void create(ErrandPtr const& errand) const {
    std::string const& request = errand->call.attempt.request;
    std::string const trade = trade_of(request);
    if (trade.empty()) {
      Answer answer;
      answer.outcome = outcome_of(Meaning::not_taken, errand->call);
      answer.code = "method_unknown";
      answer.text = "the payment's method is none of native, app, jsapi:OPENID and h5:IP; nothing was sent";
      return parts_.loop.post([errand, answer = std::move(answer)]() mutable { errand->finish(std::move(answer)); });
    }
    errand->send(requests_.post("/v3/pay/transactions/" + trade, request),
                 [this, trade](ErrandPtr const& same, HttpAnswer const& answer) {
                   Answer meaning = read(*same, false, answer);
                   bool const is_prepared = meaning.outcome == Outcome::requires_action;
                   if (is_prepared && trade == "jsapi")
                     meaning.action_url = requests_.mini_program_parameters(meaning.action_url);
                   if (is_prepared && trade == "app") meaning.action_url = requests_.app_parameters(meaning.action_url);
                   same->finish(std::move(meaning));
                 });
  }

  // What can't be closed may be paid: that is asked at once, since a closing alone never finds it out.
  void close(ErrandPtr const& errand) const {
    std::string const path = "/v3/pay/transactions/out-trade-no/" + errand->call.attempt.id.value + "/close";
    errand->send(requests_.post(path, json::serialize(json::object{{"mchid", owner_.mch_id}})),
                 [this](ErrandPtr const& same, HttpAnswer const& answer) {
                   Answer meaning = read(*same, false, answer);
                   bool const must_ask = std::ranges::find(ask_after_close, meaning.code) != std::end(ask_after_close);
                   if (must_ask) return ask(same);
                   same->finish(std::move(meaning));
                 });
  }

  ProviderSettings const settings_;
  Owner const owner_;
  ProviderTerms const terms_;
  Keys const keys_;
  Requests const requests_;
  ProviderParts const parts_;
  mutable std::chrono::nanoseconds next_download_at_{0};
};

}  // namespace

}  // namespace wechatpay

Result<std::unique_ptr<Provider>> make_wechatpay_provider(ProviderSettings const& settings,
                                                          ProviderParts const& parts) {
  auto provider = std::make_unique<wechatpay::WechatPayProvider>(settings, parts);
  if (std::string const problem = provider->problem(); !problem.empty())
    return fail(ErrorCode::invalid_request, fmt::format("provider {}: {}", settings.name, problem));
  return provider;
}

}  // namespace payonce
