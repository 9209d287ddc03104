// Stripe's statement of a day (UTC): its balance transactions, with the charges and refunds behind them
// (https://docs.stripe.com/api/balance_transactions).
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "payment/statement.h"
#include "provider/provider.h"
#include "provider/stripe/requests.h"

namespace payonce::stripe {

// Reads the list to its end, and asks for the payments of refunds that do not name ours: those of the dashboard. The
// file is JSON: `data` as Stripe gives it, `payments` with our numbers by Stripe's ids. All must outlive the calls.
void fetch_balance(HttpClient& http, Requests const& requests, std::string const& day, Provider::Fetched done);

// Such a file, or a list of Stripe's. invalid_request, naming the entry, if it can't be read.
Result<Statement> read_balance(std::string_view file);

}  // namespace payonce::stripe
