// The sandbox bank behind its socket: puts the parts together and sends each request to its routes.
// Needs only a Loop, a Clock, a Random and an HttpClient, so that a simulation can run it without sockets.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/loop.h"
#include "base/random.h"
#include "net/http_client.h"
#include "net/http_message.h"
#include "net/url.h"
#include "sandbox/answer.h"
#include "sandbox/control_routes.h"
#include "sandbox/dialect.h"
#include "sandbox/fault.h"
#include "sandbox/keys/merchant_keys.h"
#include "sandbox/ledger.h"
#include "sandbox/notice_sender.h"
#include "sandbox/options.h"
#include "sandbox/payment_routes.h"
#include "sandbox/teller.h"

namespace payonce::sandbox {

class SandboxService {
 public:
  struct Ports {
    Loop& loop;
    Clock const& clock;
    Random& random;
    HttpClient& client;
    std::function<void()> kill_process;  // what the fault `restart` does
  };

  // Reads the journal. Errors as of Journal::open. The ports must outlive the service.
  static Result<std::unique_ptr<SandboxService>> open(SandboxOptions options, Ports ports);

  // All on the loop thread.

  // Takes up what a process before this one left unfinished: charges that are due, notices that were not taken.
  void start() { teller_.start(); }
  // Where buyers find the bank's pages: http://127.0.0.1:8401, without a slash at its end.
  void set_base_url(std::string base_url) { context_.base_url = std::move(base_url); }
  void set_notify_url(std::string notify_url) { own_style_.set_url(std::move(notify_url)); }
  // Called once if the journal can't be written any more; the bank then answers nothing.
  void on_failure(Journal::OnFailure on_failure) { ledger_->on_failure(std::move(on_failure)); }

  void handle(HttpRequest request, Respond respond);

  Ledger const& ledger() const { return *ledger_; }
  FaultPlan& faults() { return faults_; }
  std::size_t notices_running() const { return sender_.chains_running(); }

 private:
  SandboxService(SandboxOptions const& options, Ports const& ports, std::unique_ptr<Ledger> ledger);
  void add_dialects(SandboxOptions const& options, Ports const& ports, MerchantKeys keys);
  void handle_page(HttpRequest const& request, Target const& target, Respond respond);
  void end_by_buyer(std::string number, bool approved, Respond respond);

  AnswerContext context_;
  std::unique_ptr<Ledger> ledger_;
  FaultPlan faults_;
  OwnNoticeStyle own_style_;
  NoticeStyles styles_{own_style_};
  NoticeSender sender_;
  Teller teller_;
  PaymentRoutes payment_routes_;
  ControlRoutes control_routes_;
  std::vector<std::unique_ptr<Dialect>> dialects_;  // none without keys
};

}  // namespace payonce::sandbox
