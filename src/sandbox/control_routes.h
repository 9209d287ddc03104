// The control plane of the sandbox: order faults, set their rates, send a notice by hand, read the ledger.
// It asks for no secret: whoever reaches the sandbox may play the bank.
#pragma once

#include <functional>
#include <string>

#include "net/http_message.h"
#include "net/url.h"
#include "sandbox/answer.h"
#include "sandbox/fault.h"
#include "sandbox/ledger.h"
#include "sandbox/notice_sender.h"

namespace payonce::sandbox {

class ControlRoutes {
 public:
  struct Parts {
    Ledger& ledger;
    FaultPlan& faults;
    NoticeSender& sender;
    NoticeStyles const& styles;
    Clock const& clock;
    Random& random;
    AnswerContext const& context;
    std::uint64_t seed;  // of rates that name none
  };

  // The parts must outlive the routes.
  explicit ControlRoutes(Parts parts) : parts_(std::move(parts)) {}

  // Answers /faults, /rates, /notices and /ledger; 404 for anything else. The path has at least one segment.
  void handle(HttpRequest const& request, Target const& target, Respond respond);

 private:
  HttpResponse add_fault(std::string const& body);
  HttpResponse clear_faults();
  HttpResponse set_rates(std::string const& body);
  HttpResponse faults() const;
  void send_notice(std::string const& body, Respond respond);

  Parts const parts_;
};

}  // namespace payonce::sandbox
