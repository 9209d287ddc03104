#include "sandbox/notice_sender.h"

#include <utility>

#include "base/log.h"

namespace payonce::sandbox {

namespace {

constexpr Millis try_timeout{15'000};
}  // namespace

struct NoticeSender::Delivery {
  NoticeChain chain;
  Task on_first_try;
  std::size_t at = 0;  // index of the body in hand
  int tries = 0;       // of that body
};

NoticeSender::NoticeSender(Options options, Loop& loop, NoticeStyles const& styles, HttpClient& client,
                           OnEnded on_ended)
    : options_(std::move(options)), loop_(loop), styles_(styles), client_(client), on_ended_(std::move(on_ended)) {}

void NoticeSender::start(NoticeChain chain, Task on_first_try) {
  ++running_;
  Millis const delay = chain.delay;
  auto delivery = std::make_shared<Delivery>();
  delivery->chain = std::move(chain);
  delivery->on_first_try = std::move(on_first_try);
  if (delay > Millis{0})
    after(delay, std::move(delivery));
  else
    attempt(std::move(delivery));
}

void NoticeSender::send_once(NoticeChain const& chain, std::size_t index, HttpClient::Done done) {
  std::string const& body = chain.bodies.at(index);
  HttpCall call;
  call.method = "POST";
  call.url = chain.url;
  call.headers = styles_.of(chain.dialect).headers(body, chain.wrong_signature);
  call.body = body;
  call.total_timeout = try_timeout;
  call.idempotent = true;  // a notice may come twice, and every merchant knows
  client_.send(std::move(call), std::move(done));
}

void NoticeSender::attempt(std::shared_ptr<Delivery> delivery) {
  send_once(delivery->chain, delivery->at, [this, alive = std::weak_ptr(alive_), delivery](HttpAnswer answer) {
    if (!alive.expired()) on_answer(delivery, answer);
  });
}

void NoticeSender::on_answer(std::shared_ptr<Delivery> delivery, HttpAnswer const& answer) {
  if (delivery->on_first_try) std::exchange(delivery->on_first_try, Task{})();
  ++delivery->tries;
  bool const is_taken = styles_.of(delivery->chain.dialect).is_taken(answer);
  if (!is_taken && delivery->tries < options_.tries_max) {
    Millis pause = options_.retry_after;
    for (int i = 1; i < delivery->tries; ++i) pause *= 3;
    after(pause, std::move(delivery));
    return;
  }
  if (!is_taken)
    log_warn("sandbox: gave up a notice after {} tries, last status {}: {}", delivery->tries, answer.status,
             delivery->chain.bodies[delivery->at]);
  delivery->tries = 0;
  if (++delivery->at < delivery->chain.bodies.size()) return attempt(std::move(delivery));
  --running_;
  on_ended_(delivery->chain.id);
}

void NoticeSender::after(Millis delay, std::shared_ptr<Delivery> delivery) {
  loop_.after(delay, [this, alive = std::weak_ptr(alive_), delivery = std::move(delivery)]() mutable {
    if (!alive.expired()) attempt(std::move(delivery));
  });
}

}  // namespace payonce::sandbox
