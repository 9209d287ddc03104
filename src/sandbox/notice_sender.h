// Carries notices to the merchant: signs each try anew, tries again until it is taken, gives up after a while.
// Not for: what a notice says or which faults it suffers (notice.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/loop.h"
#include "net/http_client.h"
#include "sandbox/notice_style.h"

namespace payonce::sandbox {

class NoticeSender {
 public:
  struct Options {
    Millis retry_after{250};
    int tries_max = 8;
  };
  using OnEnded = std::function<void(std::string const& chain_id)>;

  // All on the loop thread. `on_ended` hears of every chain that needs no more work. What is given by reference
  // must outlive the sender.
  NoticeSender(Options options, Loop& loop, NoticeStyles const& styles, HttpClient& client, OnEnded on_ended);

  // Delivers the chain's bodies in order. `on_first_try`, if given, runs when the very first try has ended.
  void start(NoticeChain chain, Task on_first_try = {});

  // One try of the chain's body at this index.
  void send_once(NoticeChain const& chain, std::size_t index, HttpClient::Done done);

  std::size_t chains_running() const { return running_; }

 private:
  struct Delivery;
  void attempt(std::shared_ptr<Delivery> delivery);
  void on_answer(std::shared_ptr<Delivery> delivery, HttpAnswer const& answer);
  void after(Millis delay, std::shared_ptr<Delivery> delivery);

  Options options_;
  Loop& loop_;
  NoticeStyles const& styles_;
  HttpClient& client_;
  OnEnded const on_ended_;
  std::size_t running_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace payonce::sandbox
