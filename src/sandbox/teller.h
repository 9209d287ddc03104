// Serves one bank call after the other: draws its fault, does what is asked, waits for the journal, answers, and sends
// the notices. All that is impure about a call happens here. Not for: parsing (payment_routes.h) or rules (bank.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/loop.h"
#include "base/random.h"
#include "net/http_message.h"
#include "sandbox/fault.h"
#include "sandbox/ledger.h"
#include "sandbox/notice_sender.h"

namespace payonce::sandbox {

struct BankCall {
  Call call = Call::create;
  std::string number;
  std::string order;
  HttpResponse (*failure)(int status);  // how this dialect answers 500 and 503
};

class Teller {
 public:
  // Does the call on the bank and says what the answer is; the injection tells it what to do otherwise.
  using Execute = std::move_only_function<HttpResponse(Injection)>;

  struct Parts {
    Ledger& ledger;
    FaultPlan& faults;
    NoticeSender& sender;
    Loop& loop;
    Clock const& clock;
    Random& random;
    NoticeStyles const& styles;
    std::function<void()> kill_process;  // what the fault `restart` does
  };

  // The parts must outlive the teller. All on the loop thread.
  explicit Teller(Parts parts) : parts_(std::move(parts)) {}

  // Takes up what a process before this one left unfinished.
  void start();

  void serve(BankCall call, Execute execute, Respond respond);

  // Tells the merchant of something that changed no charge. To be called while a call is executed, whose notices it
  // goes out with.
  void announce(NoticeFacts facts, std::string const& dialect, std::string const& order);

  // The same without a fault: what a person does on the bank's pages.
  void serve_person(Execute execute, Respond respond);

 private:
  struct Outgoing {
    NoticeChain chain;
    std::optional<Millis> answer_delay;  // set if the answer must wait until the first try is over, and so long after
  };

  using Failure = HttpResponse (*)(int status);

  void perform(Execute execute, Injection injection, Failure failure, Respond respond);
  void answer(HttpResponse response, Injection injection, Respond respond, std::vector<Outgoing> outgoing);
  void settle();
  void arm();
  std::vector<Outgoing> commit();
  std::vector<Outgoing> notices_for(Change const& change);
  std::vector<Outgoing> notices_of(NoticeFacts facts, std::string const& dialect, std::string const& order);
  void send(std::vector<Outgoing> outgoing);
  void after(Millis delay, Task task);

  Parts const parts_;
  std::vector<Outgoing> announced_;  // goes out with the next commit
  std::optional<Time> armed_at_;
  Loop::TimerId timer_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace payonce::sandbox
