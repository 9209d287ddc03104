// What the bank answers: rows and refusals as HTTP responses, and the whole ledger as JSON. Pure.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http_message.h"
#include "sandbox/bank.h"
#include "sandbox/fault.h"
#include "sandbox/ledger.h"

namespace payonce::sandbox {

struct AnswerContext {
  std::string account;
  std::string base_url;         // without a slash at its end; for the address of the page where a buyer approves
  std::string return_url = {};  // where that page leads back to; empty if nowhere
};

HttpResponse json_response(int status, boost::json::object const& body);
HttpResponse error_response(int status, std::string_view code, std::string_view message, std::string_view field = {});
// 500 or 503, as the bank's own dialect has it.
HttpResponse bank_failure(int status);
// 400 with what is wrong.
HttpResponse refusal(Error const& error);

// `in_progress` and `nonsense_json` replace the status that is told; other faults change nothing here.
HttpResponse charge_response(ChargeReply const& reply, Call call, Fault fault, AnswerContext const& context);
HttpResponse capture_response(CaptureReply const& reply, Call call, Fault fault);
HttpResponse refund_response(RefundReply const& reply, Call call, Fault fault);

// GET /ledger; `order` empty: of all orders.
boost::json::object ledger_json(Ledger const& ledger, std::string_view order);

}  // namespace payonce::sandbox
