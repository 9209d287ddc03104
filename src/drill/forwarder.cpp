#include "drill/forwarder.h"

#include <algorithm>
#include <utility>

namespace payonce::drill {

namespace {

using namespace std::chrono_literals;

// What a proxy sets anew on each side.
bool is_of_one_connection(std::string_view name) {
  return same_header_name(name, "Host") || same_header_name(name, "Connection") ||
         same_header_name(name, "Content-Length") || same_header_name(name, "Transfer-Encoding");
}

HttpHeaders end_to_end(HttpHeaders headers) {
  std::erase_if(headers, [](HttpHeader const& header) { return is_of_one_connection(header.name); });
  return headers;
}

HttpResponse response_from(HttpAnswer answer) {
  HttpResponse response;
  response.drop = answer.delivery != Delivery::answered;
  response.status = response.drop ? 502 : answer.status;
  response.headers = end_to_end(std::move(answer.headers));
  response.body = std::move(answer.body);
  return response;
}

}  // namespace

// One request on its way, with all its copies.
struct Forwarder::Passing {
  int open;
  Respond respond;
};

HttpHandler Forwarder::handler() {
  return [this](HttpRequest const& request, Respond respond) { pass(request, std::move(respond)); };
}

void Forwarder::point_at(std::string url) {
  std::lock_guard const lock{mutex_};
  url_ = std::move(url);
}

HttpCall Forwarder::copy_of(HttpRequest const& request) const {
  std::lock_guard const lock{mutex_};
  return {.method = request.method,
          .url = url_ + request.target,
          .headers = end_to_end(request.headers),
          .body = request.body,
          .total_timeout = 60s};
}

void Forwarder::pass(HttpRequest const& request, Respond respond) {
  auto const passing = std::make_shared<Passing>(Passing{copies_, std::move(respond)});
  for (int i = 0; i < copies_; ++i)
    backstage_.client().send(copy_of(request), [this, passing](HttpAnswer answer) {
      keep(answer);
      if (--passing->open == 0) passing->respond(response_from(std::move(answer)));
    });
}

void Forwarder::keep(HttpAnswer const& answer) {
  std::lock_guard const lock{mutex_};
  answers_.push_back(answer);
}

std::vector<HttpAnswer> Forwarder::answers() const {
  std::lock_guard const lock{mutex_};
  return answers_;
}

int Forwarder::answered_with_2xx() const {
  std::lock_guard const lock{mutex_};
  return static_cast<int>(std::ranges::count_if(answers_, [](HttpAnswer const& answer) {
    return answer.delivery == Delivery::answered && answer.status / 100 == 2;
  }));
}

}  // namespace payonce::drill
