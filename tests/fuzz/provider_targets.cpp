// What providers send: answers to each kind of call and notices, through each connector whole, and through the readers
// behind the signatures, past which no chance ever comes.
#include <algorithm>
#include <boost/json.hpp>
#include <memory>

#include "base/random.h"
#include "connectors/specimen_call.h"
#include "fuzz/target.h"
#include "payment/call_kind.h"
#include "provider/alipay/classify.h"
#include "provider/alipay/envelope.h"
#include "provider/paypal/classify.h"
#include "provider/paypal/notice.h"
#include "provider/registry.h"
#include "provider/sandbox/classify.h"
#include "provider/stripe/classify.h"
#include "provider/stripe/notice.h"
#include "provider/wechatpay/classify.h"
#include "support/manual_loop.h"
#include "support/rules_world.h"

namespace payonce::test {

namespace {

// Stands still: what is signed stays valid.
class StandingClock final : public Clock {
 public:
  Time now() const override { return test_start; }
  std::chrono::nanoseconds monotonic() const override { return {}; }
};

// The provider at the other end: it prepares calls as it should, and answers the call itself with `answer`.
class OtherEnd final : public HttpClient {
 public:
  OtherEnd(Specimen const& specimen, Loop& loop) : specimen_(specimen), loop_(loop) {}

  void send(HttpCall call, Done done) override {
    HttpRequest const request{
        .method = call.method, .target = path_of(call.url), .headers = call.headers, .body = call.body};
    HttpResponse const said = specimen_.aside(request, *under_way).value_or(answer);
    HttpAnswer heard{.delivery = Delivery::answered, .status = said.status, .headers = said.headers, .body = said.body};
    loop_.post([done = std::move(done), heard = std::move(heard)]() mutable { done(std::move(heard)); });
  }

  HttpResponse answer;
  ProviderCall const* under_way = nullptr;

 private:
  static std::string path_of(std::string const& url) {
    auto const host = url.find("//");
    auto const path = host == std::string::npos ? host : url.find('/', host + 2);
    return path == std::string::npos ? "/" : url.substr(path);
  }

  Specimen const& specimen_;
  Loop& loop_;
};

constexpr std::array kinds{CallKind::create, CallKind::query, CallKind::close, CallKind::refund,
                           CallKind::query_refund};
constexpr std::array statuses{200, 201, 202, 204, 400, 401, 403, 404, 409, 422, 429, 500, 503};
constexpr std::array standings{Standing::paid,      Standing::open,   Standing::closed,
                               Standing::not_taken, Standing::absent, Standing::other_number};

// One connector in front of its provider. An input's first two bytes are the kind of call and the status of the answer,
// the rest is the answer's body, under the headers that a good answer has.
class Connection {
 public:
  explicit Connection(std::shared_ptr<Specimen const> specimen) : specimen_(std::move(specimen)) {
    auto made = Providers::make({specimen_settings(*specimen_, "https://provider.example")},
                                {other_end_, loop_, clock_, random_});
    if (!made) throw std::runtime_error(made.error().detail);
    providers_ = std::move(*made);
  }

  std::vector<std::string> answers() const {
    std::vector<std::string> seeds;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
      for (Standing const standing : standings) {
        HttpResponse const good = specimen_->answer(standing, call_of(kinds[kind]), test_start);
        auto const status = std::ranges::find(statuses, good.status) - statuses.begin();
        seeds.push_back({static_cast<char>(kind), static_cast<char>(status)});
        seeds.back() += good.body;
      }
    return seeds;
  }

  void hear_answer(std::string_view bytes) {
    if (bytes.size() < 2) return;
    ProviderCall const call = call_of(kinds[static_cast<unsigned char>(bytes[0]) % kinds.size()]);
    other_end_.answer = specimen_->answer(Standing::paid, call, test_start);
    other_end_.answer.status = statuses[static_cast<unsigned char>(bytes[1]) % statuses.size()];
    other_end_.answer.body = bytes.substr(2);
    other_end_.under_way = &call;
    int answers = 0;
    Answer heard;
    provider().call(call, [&](Answer answer) {
      ++answers;
      heard = std::move(answer);
    });
    // Longer than any call may take.
    for (int i = 0; i < 10 && answers == 0; ++i) loop_.pass(2s);
    promise(answers == 1, "a call is answered, once");
    bool const is_an_end = heard.outcome == Outcome::succeeded || heard.outcome == Outcome::declined;
    promise(other_end_.answer.status < 500 || !is_an_end, "a server's error proves nothing");
  }

  std::vector<std::string> notices() const {
    std::vector<std::string> seeds;
    for (Standing const standing : {Standing::paid, Standing::closed})
      seeds.push_back(specimen_->notice(standing, call_of(CallKind::query), test_start).body);
    return seeds;
  }

  // Under the headers of a good one.
  void hear_notice(std::string_view bytes) {
    HttpRequest request = specimen_->notice(Standing::paid, call_of(CallKind::query), test_start);
    std::string const good = std::exchange(request.body, std::string{bytes});
    auto const notice = provider().read_notice(request, test_start);
    if (!notice) return promise(request.body != good, "a good notice is read");
    // Some sign the values and not the bytes.
    promise(notice->number == attempt_id(1).value || specimen_->kind() == "alipay", "nobody can sign but the provider");
  }

 private:
  Provider& provider() const { return *providers_.find("it"); }
  ProviderCall call_of(CallKind kind) const { return specimen_call(*specimen_, provider().terms(), kind, test_start); }

  std::shared_ptr<Specimen const> const specimen_;
  ManualLoop loop_;
  StandingClock const clock_;
  SeededRandom random_{1};
  OtherEnd other_end_{*specimen_, loop_};
  Providers providers_;
};

void check_answer(Answer const& answer) {
  promise(!answer.amount || answer.amount->minor >= 0, "no amount is below zero");
}

void check_notice(Result<Notice> const& notice) {
  if (notice) check_answer(notice->answer);
}

// The text as the object that a reader gets, if it is one.
template <class Read>
auto of_object(Read read) {
  return [read](std::string_view bytes) {
    boost::json::error_code error;
    boost::json::value const value = boost::json::parse(bytes, error);
    if (!error && value.is_object()) read(value.get_object());
  };
}

FuzzTarget stripe_event() {
  std::string const intent =
      R"({"id":"pi_1","object":"payment_intent","amount":1999,"amount_received":1999,"currency":"usd",)"
      R"("livemode":false,"status":"succeeded","metadata":{"payonce_payment":"pay_1"}})";
  auto const event = [](std::string_view type, std::string_view object) {
    return R"({"id":"evt_1","object":"event","livemode":false,"type":")" + std::string{type} +
           R"(","data":{"object":)" + std::string{object} + "}}";
  };
  return {
      "stripe_event",
      [](std::string_view bytes) { check_notice(stripe::parse_event(std::string{bytes}, "", false)); },
      {event("payment_intent.succeeded", intent),
       event("charge.dispute.closed", R"({"id":"dp_1","object":"dispute","status":"won","amount":1999,)"
                                      R"("currency":"usd","payment_intent":"pi_1"})"),
       event("refund.updated", R"({"id":"re_1","object":"refund","amount":500,"currency":"usd",)"
                               R"("status":"failed","metadata":{"payonce_refund":"ref_1"}})"),
       event("charge.refunded", R"({"id":"ch_1","object":"charge","amount_refunded":500,"payment_intent":"pi_1"})")}};
}

FuzzTarget paypal_event() {
  auto const event = [](std::string_view type, std::string_view resource) {
    return R"({"id":"WH-1","event_type":")" + std::string{type} + R"(","resource":)" + std::string{resource} + "}";
  };
  return {"paypal_event",
          [](std::string_view bytes) {
            check_notice(paypal::parse_event(std::string{bytes}));
            static_cast<void>(paypal::parse_mark(bytes));
          },
          {event("PAYMENT.CAPTURE.COMPLETED", R"({"id":"C1","status":"COMPLETED","custom_id":"pay_1",)"
                                              R"("amount":{"currency_code":"USD","value":"19.99"}})"),
           event("PAYMENT.CAPTURE.REFUNDED", R"({"id":"R1","status":"COMPLETED","custom_id":"pay_1 ref_1",)"
                                             R"("amount":{"currency_code":"USD","value":"5.00"}})"),
           event("CHECKOUT.ORDER.APPROVED",
                 R"({"id":"O1","status":"APPROVED","purchase_units":[{"custom_id":"pay_1","payments":{}}]})"),
           "pay_1 ref_1"}};
}

FuzzTarget wechatpay_content() {
  return {
      "wechatpay_content",
      of_object([](boost::json::object const& content) {
        check_answer(wechatpay::read_order(content, {"wx1", "1900000001"}));
        check_answer(wechatpay::read_refund(content, "refund_status"));
      }),
      {R"({"appid":"wx1","mchid":"1900000001","out_trade_no":"pay_1","transaction_id":"42","trade_state":"SUCCESS",)"
       R"("amount":{"total":1999,"payer_total":1999,"currency":"CNY"}})",
       R"({"mchid":"1900000001","out_trade_no":"pay_1","out_refund_no":"ref_1","refund_status":"SUCCESS",)"
       R"("amount":{"refund":500,"total":1999}})"}};
}

FuzzTarget alipay_envelope() {
  return {"alipay_envelope",
          [](std::string_view bytes) {
            auto const envelope = alipay::open_envelope(bytes, "alipay_trade_query_response");
            if (!envelope) return;
            promise(envelope->object.starts_with('{') && envelope->object.ends_with('}'), "it is a whole object");
            promise(envelope->object.data() >= bytes.data() &&
                        envelope->object.data() + envelope->object.size() <= bytes.data() + bytes.size(),
                    "it is a part of what came");
          },
          {R"({"alipay_trade_query_response":{"code":"10000","out_trade_no":"pay_1"},"sign":"YQ=="})",
           R"({"error_response":{"code":"40002","msg":"{\"}"},"sign":""})"}};
}

// As for Connection, but not through a connection: this bank signs no answers.
FuzzTarget sandbox_answer() {
  auto const hear = [](std::string_view bytes) {
    if (bytes.size() < 2) return;
    ProviderCall const call{.kind = bytes[0] % 2 ? CallKind::create : CallKind::query,
                            .key = order_key(),
                            .attempt = attempt_in(AttemptState::processing, 1),
                            .refund = {},
                            .first_create = true};
    HttpAnswer const heard{.delivery = Delivery::answered,
                           .status = statuses[static_cast<unsigned char>(bytes[1]) % statuses.size()],
                           .headers = {},
                           .body = std::string{bytes.substr(2)}};
    Answer const answer = sandbox::classify(call, heard, "acct");
    check_answer(answer);
    bool const is_an_end = answer.outcome == Outcome::succeeded || answer.outcome == Outcome::declined;
    promise(heard.status < 500 || !is_an_end, "a server's error proves nothing");
  };
  std::string const charge = R"({"id":"ch_1","number":")" + attempt_id(1).value +
                             R"(","order":"A1","status":"succeeded","amount":1999,"currency":"CNY","account":"acct"})";
  return {"sandbox_answer", hear, {std::string{"\0\0", 2} + charge, std::string{"\1\0", 2} + charge}};
}

}  // namespace

std::vector<FuzzTarget> provider_targets() {
  std::vector<FuzzTarget> targets{stripe_event(), paypal_event(), wechatpay_content(), alipay_envelope(),
                                  sandbox_answer()};
  for (auto const& specimen : specimens()) {
    auto const connection = std::make_shared<Connection>(specimen);
    targets.push_back({specimen->kind() + "_answer",
                       [connection](std::string_view bytes) { connection->hear_answer(bytes); }, connection->answers(),
                       500});
    targets.push_back({specimen->kind() + "_notice",
                       [connection](std::string_view bytes) { connection->hear_notice(bytes); }, connection->notices(),
                       500});
  }
  return targets;
}

}  // namespace payonce::test
