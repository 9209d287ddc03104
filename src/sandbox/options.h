// What a sandbox bank can be told when it starts; what can be changed while it runs is on its control plane.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace payonce {

struct SandboxOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: the system picks a free one

  std::string data_path = {};      // the journal file; empty: nothing outlives the process
  std::string notify_url = {};     // where notices go; empty: none are sent
  std::string return_url = {};     // where the buyer's page leads back to; empty: nowhere
  std::string api_secret = {};     // what callers of /v1 must bear; empty: anyone may call
  std::string notice_secret = {};  // what notices are signed with
  std::string account = "sandbox-account";

  // The folder with the keys of both sides, made if it is not there; empty: only the bank's own dialect is spoken.
  std::string keys_path = {};
  std::string stripe_notify_url = {};  // where events in Stripe's dialect go; empty: none are sent
  std::string paypal_notify_url = {};  // the same for PayPal's webhooks
  bool buyers_pay = false;             // buyers who have to pay on a page of the provider do so at once

  bool forgetful = false;    // charge again when a number is repeated
  std::uint64_t seed = 0;    // of faults by rate, unless the rates bring their own
  Millis settle_delay{300};  // after which the methods "pending" and "decline_then_succeed" succeed
  Millis notice_retry{250};  // before the second try of a notice; each further pause is three times as long
  int notice_tries_max = 8;  // 8 tries from 250 ms take four and a half minutes
};

}  // namespace payonce
