#include "provider/download.h"

#include <fmt/format.h>

namespace payonce {

void download_statement(HttpClient& http, HttpCall request, Provider::Fetched done) {
  request.idempotent = true;
  request.answer_bytes_max = statement_bytes_max;
  request.total_timeout = statement_timeout;
  request.headers.push_back({"User-Agent", "payonce"});
  http.send(std::move(request), [done = std::move(done)](HttpAnswer answer) mutable {
    if (answer.delivery == Delivery::answered && answer.status == 200) return done(std::move(answer.body));
    std::string const why =
        answer.delivery == Delivery::answered ? fmt::format("the answer was {}", answer.status) : answer.error;
    done(fail(ErrorCode::unavailable, "the statement can't be fetched: " + why));
  });
}

}  // namespace payonce
