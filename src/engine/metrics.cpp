#include "engine/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <map>

namespace payonce {

namespace {

// Seconds. From a group commit (1 ms) to a provider at its time-out.
prometheus::Histogram::BucketBoundaries const latency_buckets{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                              0.25,  0.5,    1,     2.5,  5,     10,   30};

double seconds(std::chrono::nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

// A counter with its latency, looked up by a short key, since building label maps for each request costs more than the
// request's own work.
struct Timed {
  prometheus::Counter* counter;
  prometheus::Histogram* latency;
};

}  // namespace

struct Metrics::Families {
  prometheus::Registry registry;
  prometheus::Family<prometheus::Counter>& requests = prometheus::BuildCounter()
                                                          .Name("payonce_requests_total")
                                                          .Help("HTTP requests by route and status")
                                                          .Register(registry);
  prometheus::Family<prometheus::Histogram>& request_seconds = prometheus::BuildHistogram()
                                                                   .Name("payonce_request_seconds")
                                                                   .Help("Time from request to answer")
                                                                   .Register(registry);
  prometheus::Family<prometheus::Counter>& calls = prometheus::BuildCounter()
                                                       .Name("payonce_provider_calls_total")
                                                       .Help("Calls to providers by call and outcome")
                                                       .Register(registry);
  prometheus::Family<prometheus::Histogram>& call_seconds = prometheus::BuildHistogram()
                                                                .Name("payonce_provider_call_seconds")
                                                                .Help("Time a provider took to answer")
                                                                .Register(registry);
  prometheus::Family<prometheus::Gauge>& breaker =
      prometheus::BuildGauge()
          .Name("payonce_provider_breaker")
          .Help("Circuit breaker of a provider: 0 closed, 1 probing, 2 open")
          .Register(registry);
  prometheus::Family<prometheus::Gauge>& calls_in_flight = prometheus::BuildGauge()
                                                               .Name("payonce_provider_calls_in_flight")
                                                               .Help("Calls to a provider under way")
                                                               .Register(registry);
  prometheus::Family<prometheus::Gauge>& clock_ahead =
      prometheus::BuildGauge()
          .Name("payonce_provider_clock_ahead_seconds")
          .Help("Our clock less the provider's, by the Date of its last answer")
          .Register(registry);
  prometheus::Family<prometheus::Counter>& notices =
      prometheus::BuildCounter().Name("payonce_notices_total").Help("Provider notices by result").Register(registry);
  prometheus::Family<prometheus::Counter>& deliveries = prometheus::BuildCounter()
                                                            .Name("payonce_deliveries_total")
                                                            .Help("Effect deliveries by result")
                                                            .Register(registry);
  prometheus::Family<prometheus::Gauge>& backlog = prometheus::BuildGauge()
                                                       .Name("payonce_backlog")
                                                       .Help("What waits, by kind; 10000 is 10000 or more")
                                                       .Register(registry);
  prometheus::Gauge& oldest_unknown = prometheus::BuildGauge()
                                          .Name("payonce_oldest_unknown_seconds")
                                          .Help("Age of the oldest payment whose result is unknown; 0 if none")
                                          .Register(registry)
                                          .Add({});
  std::map<std::string, Timed, std::less<>> requests_by_key;
  std::map<std::string, Timed, std::less<>> calls_by_key;
  std::map<std::string, prometheus::Counter*, std::less<>> notices_by_key;
};

Metrics::Metrics() : families_(std::make_unique<Families>()) {}
Metrics::~Metrics() = default;

void Metrics::request(std::string_view route, int status, std::chrono::nanoseconds latency) {
  std::string key{route};
  key += std::to_string(status);
  auto at = families_->requests_by_key.find(key);
  if (at == families_->requests_by_key.end()) {
    std::string const name{route};
    Timed const timed{&families_->requests.Add({{"route", name}, {"status", std::to_string(status)}}),
                      &families_->request_seconds.Add({{"route", name}}, latency_buckets)};
    at = families_->requests_by_key.emplace(std::move(key), timed).first;
  }
  at->second.counter->Increment();
  at->second.latency->Observe(seconds(latency));
}

void Metrics::provider_call(std::string_view provider, CallKind kind, Outcome outcome,
                            std::chrono::nanoseconds latency) {
  std::string key{provider};
  key.append("/").append(to_text(kind)).append("/").append(to_text(outcome));
  auto at = families_->calls_by_key.find(key);
  if (at == families_->calls_by_key.end()) {
    std::string const name{provider};
    std::string const call{to_text(kind)};
    Timed const timed{
        &families_->calls.Add({{"provider", name}, {"call", call}, {"outcome", std::string{to_text(outcome)}}}),
        &families_->call_seconds.Add({{"provider", name}, {"call", call}}, latency_buckets)};
    at = families_->calls_by_key.emplace(std::move(key), timed).first;
  }
  at->second.counter->Increment();
  at->second.latency->Observe(seconds(latency));
}

void Metrics::provider_health(std::string const& provider, ProviderHealth const& health) {
  prometheus::Labels const labels{{"provider", provider}};
  families_->breaker.Add(labels).Set(health.breaker == BreakerState::closed    ? 0
                                     : health.breaker == BreakerState::probing ? 1
                                                                               : 2);
  families_->calls_in_flight.Add(labels).Set(health.calls_in_flight);
  if (health.clock_ahead) families_->clock_ahead.Add(labels).Set(seconds(*health.clock_ahead));
}

void Metrics::notice(std::string_view provider, std::string_view result) {
  std::string key{provider};
  key.append("/").append(result);
  auto at = families_->notices_by_key.find(key);
  if (at == families_->notices_by_key.end()) {
    auto& counter = families_->notices.Add({{"provider", std::string{provider}}, {"result", std::string{result}}});
    at = families_->notices_by_key.emplace(std::move(key), &counter).first;
  }
  at->second->Increment();
}

void Metrics::delivery(std::string_view effect, std::string_view result) {
  families_->deliveries.Add({{"effect", std::string{effect}}, {"result", std::string{result}}}).Increment();
}

void Metrics::backlog(Reader::Backlog const& backlog, Time now) {
  auto const set = [&](char const* kind, std::int64_t count) {
    families_->backlog.Add({{"kind", kind}}).Set(static_cast<double>(count));
  };
  set("unknown", backlog.unknown);
  set("in_review", backlog.in_review);
  set("effects_pending", backlog.effects_pending);
  set("effects_dead", backlog.effects_dead);
  set("notices_unmatched", backlog.notices_unmatched);
  set("discrepancies", backlog.discrepancies);
  families_->oldest_unknown.Set(backlog.oldest_unknown ? seconds(now - *backlog.oldest_unknown) : 0);
}

std::string Metrics::text() const { return prometheus::TextSerializer{}.Serialize(families_->registry.Collect()); }

}  // namespace payonce
