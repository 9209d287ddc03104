// The reading connection. It never waits for a writer, and no writer waits for it.
#pragma once

#include <string>
#include <vector>

#include "store/postgres/connection.h"
#include "store/postgres/order_loader.h"
#include "store/store.h"

namespace payonce::postgres {

class PostgresReader final : public Reader {
 public:
  explicit PostgresReader(ConnectionSettings const& settings);

  std::optional<Order> find_order(OrderKey const& key) override;
  std::vector<FoundAttempt> find_attempts(std::span<AttemptId const> attempts) override;
  std::optional<FoundRefund> find_refund(RefundId const& refund) override;
  std::optional<FoundCapture> find_capture(CaptureId const& capture) override;
  std::optional<ApiKeyRow> find_api_key(std::string const& hash_hex) override;
  std::vector<ApiKeyRow> api_keys(MerchantId const& merchant) override;

  std::vector<StoredEvent> events_after(MerchantId const& merchant, std::int64_t after, std::size_t limit) override;
  std::vector<StoredEvent> timeline(OrderKey const& key) override;
  std::vector<Effect> effects_of(OrderKey const& key) override;
  std::vector<Posting> journal_of(OrderKey const& key) override;
  std::vector<Turnover> turnovers(MerchantId const& merchant, Time from, Time until) override;
  std::vector<Effect> dead_effects(MerchantId const& merchant, std::size_t limit) override;
  std::vector<NoticeRow> notices_of(AttemptId const& attempt) override;

  std::vector<DueAttempt> due_attempts(Time now, std::size_t limit) override;
  std::vector<DueRefund> due_refunds(Time now, std::size_t limit) override;
  std::vector<DueCapture> due_captures(Time now, std::size_t limit) override;
  std::vector<DueOrder> due_orders(Time now, std::size_t limit) override;
  std::vector<NoticeRow> due_notices(Time now, std::size_t limit) override;
  std::vector<FoundAttempt> attempts_in_review(MerchantId const& merchant, std::size_t limit) override;
  Backlog backlog() override;

  std::vector<Posting> unbilled(MerchantId const& merchant, std::string const& provider, Time from, Time until,
                                std::size_t limit) override;
  std::optional<StatementRow> find_statement(std::string const& provider, std::string const& day) override;
  std::vector<Discrepancy> open_discrepancies(MerchantId const& merchant, std::size_t limit) override;
  std::vector<Order> orders_after(OrderKey const& after, std::size_t limit) override;

 private:
  // What `question` gives, on a new connection if the old one turns out to be lost.
  template <class Question>
  auto ask(Question question);
  // The same with one snapshot for all statements of the question.
  template <class Question>
  auto ask_in_snapshot(Question question);
  template <class... Values>
  Rows query(char const* name, Values const&... values);

  Connection connection_;
  OrderLoader orders_;
};

}  // namespace payonce::postgres
