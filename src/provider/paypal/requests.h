// What we put on the wire to PayPal, and the token that opens it. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "payment/order.h"
#include "provider/errand.h"
#include "provider/settings.h"

namespace payonce::paypal {

// Where the buyer comes back to.
struct Style {
  std::string return_url;
  std::string cancel_url;
};

std::string write_create(Style const& style, Charge const& charge);
std::string write_capture(Capture const& capture, Attempt const& attempt);
std::string write_refund(Refund const& refund, Attempt const& attempt);

class Requests {
 public:
  explicit Requests(ProviderSettings const& settings, Clock const& clock);

  HttpCall get(std::string const& path) const;
  // A question that is asked by a POST and may be asked again.
  HttpCall question(std::string_view path, std::string body) const;
  // Under a request id: the same id again is the same request.
  HttpCall post(std::string const& path, std::string body, std::string const& request_id) const;

  // Sends with a token, which is asked for first if there is none. Without one the request is never sent. A token that
  // PayPal does not take any more (401: nothing was done) is thrown away and the request sent once more with a new one.
  void send(std::shared_ptr<TimedCalls> calls, HttpCall request, HttpClient::Done done);

 private:
  void send_with_token(std::shared_ptr<TimedCalls> calls, HttpCall request, HttpClient::Done done, bool is_last);
  void fetch_token(TimedCalls& calls, std::move_only_function<void(std::string)> then);
  HttpCall call(std::string const& path) const;

  Clock const& clock_;
  std::string const url_;
  std::string const client_id_;
  Secret const secret_;
  std::string token_;
  std::string token_secret_;  // what it was asked for with
  std::chrono::nanoseconds token_ends_at_{0};
};

}  // namespace payonce::paypal
