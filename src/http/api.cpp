#include "http/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/id.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/utf8.h"
#include "http/routes.h"

namespace payonce {

namespace {

constexpr std::size_t request_id_chars = 128;
// How often those that wait are looked at.
constexpr Millis waiting_look{500};

bool is_usable_request_id(std::string_view text) {
  return !text.empty() && text.size() <= request_id_chars &&
         std::ranges::all_of(text, [](char c) { return c >= 0x21 && c <= 0x7e && c != '"' && c != '\\'; });
}

// A trace context as W3C writes it; anything else is not passed on to the log.
std::string_view usable_traceparent(HttpRequest const& request) {
  auto const header = request.header("traceparent");
  bool const fits = header && header->size() == 55 && std::ranges::all_of(*header, [](char c) {
                      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '-';
                    });
  return fits ? *header : std::string_view{};
}

// A checkout's address is a secret: whoever has it can pay and cancel.
std::string_view loggable_path(std::string_view path) { return path.starts_with("/checkout/") ? "/checkout/…" : path; }

bool matches(std::string_view pattern, std::vector<std::string> const& segments) {
  std::size_t index = 0;
  while (!pattern.empty()) {
    pattern.remove_prefix(1);
    std::string_view const part = pattern.substr(0, pattern.find('/'));
    pattern.remove_prefix(part.size());
    if (index == segments.size()) return false;
    if (part != "{}" && part != segments[index]) return false;
    ++index;
  }
  return index == segments.size();
}

Route const* find_route(Exchange const& exchange) {
  for (Route const& route : routes())
    if (route.method == exchange.request.method && matches(route.pattern, exchange.target.segments)) return &route;
  return nullptr;
}

// The answer to a request that no route takes.
void respond_no_route(Exchange& exchange) {
  std::vector<std::string_view> allowed;
  for (Route const& route : routes())
    if (matches(route.pattern, exchange.target.segments)) allowed.push_back(route.method);
  std::string const path = exchange.target.path.substr(0, 200);
  if (allowed.empty())
    return respond_problem(exchange, {ErrorCode::not_found, fmt::format("There is no {}; see /openapi.json", path)});
  std::string const methods = fmt::format("{}", fmt::join(allowed, ", "));
  Error const error{ErrorCode::method_not_allowed, fmt::format("{} takes {} only; see /openapi.json", path, methods)};
  HttpResponse response = problem_response(http_status(error.code), error, exchange.request_id);
  response.headers.push_back({"X-Request-Id", exchange.request_id});
  response.headers.push_back({"Allow", methods});
  exchange.respond(std::move(response));
}

Result<void> check_parameters(Route const& route, Exchange const& exchange) {
  if (route.takes_any_parameter) return {};
  for (auto const& [name, value] : exchange.target.query)
    if (name.empty() || std::ranges::find(route.parameters, std::string_view{name}) == route.parameters.end())
      return fail(ErrorCode::invalid_request,
                  fmt::format("There is no query parameter \"{}\" here", name.substr(0, 64)), name.substr(0, 64));
  return {};
}

}  // namespace

Api::Api(Engine& engine, ApiOptions options)
    : engine_(engine), options_(std::move(options)), authenticator_(engine.parts().reads, engine.parts().clock) {
  look_after_the_waiting();
}

Api::~Api() { engine_.parts().loop.cancel(timer_); }

void Api::look_after_the_waiting() {
  auto const now = engine_.parts().clock.monotonic();
  std::erase_if(waiting_, [&](Waiting const& it) {
    auto const exchange = it.exchange.lock();
    if (!exchange || exchange->is_answered) return true;
    if (now - it.since < exchange->wait + options_.patience) return false;
    respond_problem(*exchange, {ErrorCode::unavailable,
                                "The database does not answer in time; repeat the same request later, under the same "
                                "key if it has one"});
    return true;
  });
  timer_ = engine_.parts().loop.after(std::min(waiting_look, options_.patience), [this] { look_after_the_waiting(); });
}

std::size_t Api::body_limit(std::string_view target) {
  return target.starts_with("/v1/notices/") ? limits::notice_body_bytes : limits::body_bytes;
}

ExchangePtr Api::open_exchange(HttpRequest request, Respond respond) {
  auto exchange = std::make_shared<Exchange>();
  Engine::Parts const& parts = engine_.parts();
  auto const given_id = request.header("X-Request-Id");
  exchange->request_id = given_id && is_usable_request_id(*given_id) ? std::string{*given_id}
                                                                     : mint_suffix(parts.clock.now(), parts.random);
  exchange->request = std::move(request);
  // Weak, since the exchange owns this callback.
  exchange->respond = [this, weak = std::weak_ptr{exchange}, started = parts.clock.monotonic(),
                       respond = std::move(respond)](HttpResponse response) mutable {
    if (auto const self = weak.lock()) {
      if (std::exchange(self->is_answered, true)) return;
      auto const latency = engine_.parts().clock.monotonic() - started;
      engine_.parts().metrics.request(self->route, response.status, latency);
      if (options_.logs_requests)
        log_info("{} {} {} {}us request_id={} traceparent={}", self->request.method, loggable_path(self->target.path),
                 response.status, latency.count() / 1000, self->request_id, usable_traceparent(self->request));
    }
    respond(std::move(response));
  };
  waiting_.push_back({parts.clock.monotonic(), exchange});
  return exchange;
}

void Api::handle(HttpRequest request, Respond respond) {
  ExchangePtr exchange = open_exchange(std::move(request), std::move(respond));
  try {
    dispatch(exchange);
  } catch (std::exception const& error) {
    log_error("request_id={}: {}", exchange->request_id, error.what());
    respond_problem(*exchange,
                    {ErrorCode::internal, "Something is wrong on our side; it is in the log under the request id"});
  }
}

void Api::dispatch(ExchangePtr exchange) {
  auto target = parse_target(exchange->request.target);
  if (!target) return respond_problem(*exchange, target.error());
  // Databases of text can't be asked for anything else.
  if (!std::ranges::all_of(target->segments, is_utf8))
    return respond_problem(*exchange, {ErrorCode::invalid_request, "The path is not UTF-8, percent-encoded"});
  exchange->target = std::move(*target);

  Route const* const route = find_route(*exchange);
  if (!route) return respond_no_route(*exchange);
  exchange->route = route->pattern;
  auto const serve = [this, route](ExchangePtr const& it) {
    if (auto const known = check_parameters(*route, *it); !known) return respond_problem(*it, known.error());
    route->handler(*this, it);
  };
  if (route->needs_key) return authenticator_.check(std::move(exchange), serve);
  serve(exchange);
}

}  // namespace payonce
