#include "provider/instant/instant_provider.h"

#include <fmt/format.h>

namespace payonce {

namespace {

using namespace std::chrono_literals;

std::string write_create(Charge const& charge) {
  return fmt::format(R"({{"number":"{}","amount":{},"currency":"{}"}})", charge.number.value, charge.amount.minor,
                     charge.amount.currency.code());
}

std::string write_refund(Refund const& refund, Attempt const&) {
  return fmt::format(R"({{"number":"{}","amount":{}}})", refund.id.value, refund.amount.minor);
}

class InstantProvider final : public Provider {
 public:
  InstantProvider(ProviderSettings const& settings, Loop& loop) : name_(settings.name), loop_(loop) {
    terms_ = {.name = name_,
              .create_is_idempotent = true,
              .key_window = 24h,
              .request_life = 0ms,
              .call_timeout = settings.call_timeout.value_or(1s),
              .close_is_proof = false,
              .attempt_life = 30min,
              .retry_first = 100ms,
              .retry_longest = 60s,
              .unknown_alarm_after = 10min,
              .write_create = write_create,
              .write_refund = write_refund};
  }

  ProviderTerms const& terms() const override { return terms_; }

  void call(ProviderCall const& call, Done done) override {
    Answer answer;
    answer.outcome = Outcome::succeeded;
    answer.code = "ok";
    answer.provider_ref = call.attempt.id.value;
    loop_.post([done = std::move(done), answer = std::move(answer)]() mutable { done(std::move(answer)); });
  }

  Result<Notice> read_notice(HttpRequest const&, Time) const override {
    return fail(ErrorCode::signature_invalid, "the instant provider sends no notices");
  }

  HttpResponse acknowledge(bool is_safe) const override {
    HttpResponse response;
    response.status = is_safe ? 200 : 503;
    return response;
  }

 private:
  std::string const name_;
  ProviderTerms terms_;
  Loop& loop_;
};

}  // namespace

std::unique_ptr<Provider> make_instant_provider(ProviderSettings const& settings, Loop& loop) {
  return std::make_unique<InstantProvider>(settings, loop);
}

}  // namespace payonce
