// Fetching the file of a statement.
#pragma once

#include "net/http_client.h"
#include "provider/provider.h"

namespace payonce {

// Sends the request, which may be repeated, and hands the body of a 200 on; anything else is `unavailable`.
void download_statement(HttpClient& http, HttpCall request, Provider::Fetched done);

}  // namespace payonce
