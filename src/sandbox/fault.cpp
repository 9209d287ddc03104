#include "sandbox/fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>

#include "base/random.h"

namespace payonce::sandbox {

namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t million = 1'000'000;

constexpr unsigned bit(Call call) { return 1u << static_cast<unsigned>(call); }
constexpr unsigned on_create = bit(Call::create);
constexpr unsigned on_notice = bit(Call::notice);
constexpr unsigned on_calls = bit(Call::prepare) | on_create | bit(Call::query) | bit(Call::close) | bit(Call::refund) |
                              bit(Call::query_refund) | bit(Call::capture) | bit(Call::query_capture);

struct FaultKind {
  Fault fault;
  std::string_view name;
  unsigned applies_to;
  Millis delay = 0ms;
};

// The default delay of lateness is longer than a test's provider time-out and shorter than a person's patience.
constexpr FaultKind kinds[] = {
    {Fault::none, "", 0},
    {Fault::drop_before, "drop_before", on_calls},
    {Fault::drop_after, "drop_after", on_calls},
    {Fault::late, "late", on_calls | on_notice, 2s},
    {Fault::late_before, "late_before", on_calls, 2s},
    {Fault::answer_500_before, "answer_500_before", on_calls},
    {Fault::answer_500_after, "answer_500_after", on_calls},
    {Fault::answer_503_before, "answer_503_before", on_calls},
    {Fault::nonsense, "nonsense", on_calls},
    {Fault::nonsense_json, "nonsense_json", on_calls},
    {Fault::in_progress, "in_progress", on_calls},
    {Fault::decline, "decline", on_create | bit(Call::refund) | bit(Call::capture)},
    {Fault::decline_then_succeed, "decline_then_succeed", on_create},
    {Fault::buyer_waits, "buyer_waits", on_create | bit(Call::prepare)},
    {Fault::short_hold, "short_hold", on_create},
    {Fault::trickle, "trickle", on_calls, 100ms},
    {Fault::restart, "restart", on_calls},
    {Fault::early, "early", on_notice},
    {Fault::never, "never", on_notice},
    {Fault::twice, "twice", on_notice},
    {Fault::ten_parallel, "ten_parallel", on_notice},
    {Fault::reordered, "reordered", on_notice},
    {Fault::wrong_signature, "wrong_signature", on_notice},
    {Fault::wrong_amount, "wrong_amount", on_notice},
    {Fault::wrong_currency, "wrong_currency", on_notice},
    {Fault::wrong_account, "wrong_account", on_notice},
    {Fault::foreign_number, "foreign_number", on_notice},
    {Fault::unknown_number, "unknown_number", on_notice},
};

static_assert(std::ranges::equal(kinds, std::views::iota(0u, std::size(kinds)), {},
                                 [](FaultKind const& kind) { return static_cast<unsigned>(kind.fault); }),
              "the table is indexed by the fault");

FaultKind const& kind_of(Fault fault) { return kinds[static_cast<std::size_t>(fault)]; }

Result<void> check(Fault fault, Call call) {
  if (applies(fault, call)) return {};
  return fail(ErrorCode::invalid_request,
              fmt::format("fault \"{}\" does not apply to call \"{}\"", to_text(fault), to_text(call)), "fault");
}

std::uint64_t hash(std::string_view text) {  // FNV-1a: the same on every machine, unlike std::hash
  std::uint64_t value = 0xcbf29ce484222325ULL;
  for (char const c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return value;
}

}  // namespace

std::string_view to_text(Call call) {
  switch (call) {
    case Call::prepare: return "prepare";
    case Call::create: return "create";
    case Call::query: return "query";
    case Call::close: return "close";
    case Call::refund: return "refund";
    case Call::query_refund: return "query_refund";
    case Call::capture: return "capture";
    case Call::query_capture: return "query_capture";
    case Call::notice: return "notice";
  }
  return {};
}

std::optional<Call> parse_call(std::string_view text) {
  auto const found = std::ranges::find(calls, text, [](Call call) { return to_text(call); });
  if (found == calls.end()) return std::nullopt;
  return *found;
}

std::string_view to_text(Fault fault) { return kind_of(fault).name; }

std::optional<Fault> parse_fault(std::string_view text) {
  auto const found = std::ranges::find(kinds, text, &FaultKind::name);
  if (found == std::end(kinds)) return std::nullopt;
  return found->fault;
}

bool applies(Fault fault, Call call) { return (kind_of(fault).applies_to & bit(call)) != 0; }

Millis default_delay(Fault fault) { return kind_of(fault).delay; }

Result<void> FaultPlan::add(QueuedFault fault) {
  if (auto const fits = check(fault.fault, fault.call); !fits) return fits;
  if (fault.times == 0) return fail(ErrorCode::invalid_request, "times is 0; give how many calls are hit", "times");
  queue_.push_back(std::move(fault));
  return {};
}

Result<void> FaultPlan::set_rates(FaultRates rates) {
  std::array<std::uint64_t, calls.size()> sums{};
  for (FaultRate const& rate : rates.rates) {
    if (auto const fits = check(rate.fault, rate.call); !fits) return fits;
    sums[static_cast<std::size_t>(rate.call)] += rate.per_million;
  }
  for (Call const call : calls)
    if (sums[static_cast<std::size_t>(call)] > million)
      return fail(ErrorCode::invalid_request,
                  fmt::format("the rates of call \"{}\" sum up to more than 1", to_text(call)),
                  std::string{to_text(call)});
  rates_ = std::move(rates);
  draws_.clear();
  return {};
}

Injection FaultPlan::draw(Call call, std::string_view order) {
  auto const fits = [&](QueuedFault const& fault) {
    return fault.call == call && (fault.order.empty() || fault.order == order);
  };
  auto const found = std::ranges::find_if(queue_, fits);
  if (found == queue_.end()) return draw_by_rate(call, order);
  Injection const injection{found->fault, found->delay.value_or(default_delay(found->fault))};
  if (--found->times == 0) queue_.erase(found);
  return injection;
}

Injection FaultPlan::draw_by_rate(Call call, std::string_view order) {
  if (rates_.rates.empty()) return {};
  std::string const stream = fmt::format("{} {}", to_text(call), order);
  std::uint64_t const draw = draws_[stream]++;
  SeededRandom random{rates_.seed ^ hash(stream) ^ hash(std::to_string(draw))};
  std::uint64_t const place = random.below(million);
  std::uint64_t limit = 0;
  for (FaultRate const& rate : rates_.rates) {
    if (rate.call != call) continue;
    limit += rate.per_million;
    if (place < limit) return {rate.fault, rates_.delay.value_or(default_delay(rate.fault))};
  }
  return {};
}

}  // namespace payonce::sandbox
