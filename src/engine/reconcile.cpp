#include "engine/reconcile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/crypto.h"
#include "base/limits.h"
#include "base/log.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;

// In the committer at once: a batch, so that a bill of a million lines leaves room for buyers.
constexpr std::size_t lines_at_once = limits::batch_commands_max;
// A payment may be of this day by the provider's clock and of the next one by ours, or the other way round. Looked for
// so much later it has been in the bill of either day.
constexpr Millis midnight_margin = 1h;

// When the day begins at the provider; nothing if it is no day.
std::optional<Time> begin_of(std::string const& day, ProviderTerms const& terms) {
  auto const midnight = parse_rfc3339(day + "T00:00:00Z");
  if (!midnight) return std::nullopt;
  return *midnight - terms.statement_zone;
}

bool is_about_a_payment(StatementLine const& line) {
  return (line.kind == LineKind::payment || line.kind == LineKind::refund) && !line.number.empty();
}

class Reconciliation : public std::enable_shared_from_this<Reconciliation> {
 public:
  using Done = std::move_only_function<void(Result<Reconciled>)>;

  Reconciliation(Engine& engine, Provider& provider, ReconcileRequest request, Time begin, Done done)
      : engine_(engine), provider_(provider), request_(std::move(request)), begin_(begin), done_(std::move(done)) {}

  void start() {
    if (request_.file) return read(*request_.file);
    provider_.fetch_statement(request_.day,
                              [self = shared_from_this()](auto const& fetched) { self->take_fetched(fetched); });
  }

 private:
  void take_fetched(Result<std::optional<std::string>> const& fetched) {
    if (!fetched) return done_(std::unexpected(fetched.error()));
    is_nothing_ = !*fetched;
    if (*fetched) return read(**fetched);
    look_for_missing();
  }

  void read(std::string const& file) {
    auto statement = provider_.read_statement(file, request_.day);
    if (!statement) return done_(std::unexpected(statement.error()));
    digest_hex_ = sha256_hex(file);
    result_.lines = static_cast<int>(statement->lines.size());
    for (StatementLine& line : statement->lines) {
      if (!is_about_a_payment(line)) {
        ++result_.others;
        continue;
      }
      ++(line.kind == LineKind::payment ? result_.payments : result_.refunds);
      lines_.push_back(std::move(line));
    }
    // A bill is in any order, and money goes back only after it came.
    std::ranges::partition(lines_, [](StatementLine const& it) { return it.kind == LineKind::payment; });
    go_on();
  }

  void go_on() {
    while (!error_ && next_ < lines_.size() && in_flight_ < lines_at_once) submit(lines_[next_++]);
    if (in_flight_ > 0) return;
    if (error_) return done_(std::unexpected(*error_));
    look_for_missing();
  }

  void submit(StatementLine& line) {
    ++in_flight_;
    ApplyNotice command;
    command.provider = request_.provider;
    command.event_id = ("bill:" + line.id).substr(0, limits::event_id_chars);
    command.number = std::move(line.number);
    command.refund_number = std::move(line.refund_number);
    command.answer.outcome = line.outcome;
    command.answer.provider_ref = std::move(line.provider_ref);
    command.answer.amount = line.amount;
    command.answer.code = "billed";
    command.body = std::move(line.text);
    command.billed = Billed{request_.day, line.fee};
    command.shown_to = request_.merchants.front();
    // Answers come later, never from within.
    engine_.execute(std::move(command), [self = shared_from_this()](Answered const& answered) {
      --self->in_flight_;
      if (!answered) self->error_ = answered.error().error;
      if (answered && answered->kind == ReplyKind::duplicate) ++self->result_.known;
      self->go_on();
    });
  }

  void look_for_missing() {
    Time const now = engine_.parts().clock.now();
    Time const until = std::min(begin_ + 24h, now) - midnight_margin;
    engine_.parts().reads.ask(
        [merchants = request_.merchants, provider = request_.provider, from = begin_ - midnight_margin,
         until](Reader& reader) {
          std::vector<Posting> all;
          for (MerchantId const& merchant : merchants) {
            auto found = reader.unbilled(merchant, provider, from, until, limits::events_page);
            std::ranges::move(found, std::back_inserter(all));
          }
          return all;
        },
        [self = shared_from_this()](Result<std::vector<Posting>> found) { self->take_unbilled(std::move(found)); });
  }

  void take_unbilled(Result<std::vector<Posting>> unbilled) {
    if (!unbilled) return done_(std::unexpected(unbilled.error()));
    finish(*unbilled);
  }

  Discrepancy missing(Posting const& posting, Time now) const {
    Discrepancy it{
        .merchant = posting.key.merchant,
        .kind = DiscrepancyKind::missing,
        .provider = request_.provider,
        .day = request_.day,
        .subject = posting.attempt.value,
        .number = posting.attempt.value,
        .amount = posting.amount,
        .text = fmt::format("it came at {} by the books, and no statement has told of it", to_rfc3339(posting.at)),
        .found_at = now};
    it.id = discrepancy_id(it);
    return it;
  }

  void finish(std::vector<Posting> const& unbilled) {
    result_.missing = static_cast<int>(unbilled.size());
    Time const now = engine_.parts().clock.now();
    WriteSet rows;
    for (Posting const& it : unbilled) rows.discrepancies.push_back(missing(it, now));
    // "Nothing moved" may also mean that the file is late. While the books know better it is asked for again.
    bool const is_read = !is_nothing_ || unbilled.empty();
    StatementRow const statement{request_.provider, request_.day, digest_hex_, result_.lines, now};
    engine_.parts().committer.submit_work(
        [rows = std::move(rows), statement, is_read](Writer& writer) {
          writer.write(rows);
          if (is_read) writer.put_statement(statement);
          writer.resolve_answered_discrepancies(statement.provider, statement.imported_at);
        },
        [self = shared_from_this()](Result<void> const& saved) {
          if (!saved) return self->done_(std::unexpected(saved.error()));
          self->done_(self->result_);
        });
  }

  Engine& engine_;
  Provider& provider_;
  ReconcileRequest request_;
  Time const begin_;
  Done done_;
  bool is_nothing_ = false;                  // so the provider said
  std::string digest_hex_ = sha256_hex({});  // of a day on which nothing moved
  std::vector<StatementLine> lines_;
  std::size_t next_ = 0;
  std::size_t in_flight_ = 0;
  std::optional<Error> error_;
  Reconciled result_;
};

// The last day whose statement should be there by now.
std::string published_day(ProviderTerms const& terms, Time now) {
  Millis const ready = std::max<Millis>(*terms.statement_ready, 24h);
  return to_rfc3339(now + terms.statement_zone - ready).substr(0, 10);
}

void reconcile_one(Engine& engine, ReconcileRequest request, std::shared_ptr<void> const& round) {
  std::string const what = request.provider + ", statement of " + request.day;
  reconcile(engine, std::move(request), [what, round](Result<Reconciled> const& result) {
    if (!result) return log_warn("{}: {}; it will be tried again", what, result.error().detail);
    log_info("{}: {} lines, {} known before, {} payments missing", what, result->lines, result->known, result->missing);
  });
}

}  // namespace

void reconcile(Engine& engine, ReconcileRequest request, std::move_only_function<void(Result<Reconciled>)> done) {
  Provider* const provider = engine.parts().providers.find(request.provider);
  if (!provider || request.merchants.empty())
    return done(fail(ErrorCode::not_found, fmt::format("no merchant has a provider \"{}\"", request.provider)));
  ProviderTerms const& terms = provider->terms();
  if (!terms.statement_ready)
    return done(fail(ErrorCode::invalid_request,
                     fmt::format("provider {} gives no statements that payonce can read", request.provider)));
  auto const begin = begin_of(request.day, terms);
  if (!begin)
    return done(fail(ErrorCode::invalid_request, fmt::format("\"{}\" is no day; write it as 2026-01-02", request.day)));
  Time const ready = *begin + *terms.statement_ready;
  if (ready > engine.parts().clock.now())
    return done(fail(ErrorCode::invalid_request,
                     fmt::format("the statement of {} is there from {} on", request.day, to_rfc3339(ready))));
  std::make_shared<Reconciliation>(engine, *provider, std::move(request), *begin, std::move(done))->start();
}

void reconcile_due(Engine& engine, std::vector<Merchant> const& merchants, std::move_only_function<void()> done) {
  std::map<std::string, std::vector<MerchantId>> by_provider;
  for (Merchant const& merchant : merchants)
    for (std::string const& provider : merchant.providers) by_provider[provider].push_back(merchant.id);
  // Over when the last of its copies goes.
  auto const shared = std::make_shared<std::move_only_function<void()>>(std::move(done));
  std::shared_ptr<void> const round{shared.get(), [shared](void*) { (*shared)(); }};
  for (auto const& [name, its_merchants] : by_provider) {
    Provider const* const provider = engine.parts().providers.find(name);
    if (!provider || !provider->terms().statement_ready) continue;
    ReconcileRequest request{name, published_day(provider->terms(), engine.parts().clock.now()), its_merchants};
    auto const question = [name, day = request.day](Reader& reader) { return reader.find_statement(name, day); };
    engine.parts().reads.ask(question, [&engine, round, request = std::move(request)](
                                           Result<std::optional<StatementRow>> const& found) mutable {
      if (found && !*found) reconcile_one(engine, std::move(request), round);
    });
  }
}

}  // namespace payonce
