// The reading connection. It never waits for the writer, and the writer never waits for it.
#pragma once

#include <string>
#include <vector>

#include "store/sqlite/durability.h"
#include "store/sqlite/order_loader.h"
#include "store/sqlite/statement.h"
#include "store/store.h"

namespace payonce::sqlite {

class SqliteReader final : public Reader {
 public:
  SqliteReader(std::string const& path, Durability& durability);

  void wait_until_durable() override { durability_.wait(); }

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
  // One snapshot for the statements of one call.
  class Snapshot {
   public:
    explicit Snapshot(SqliteReader& reader) : reader_(reader) { reader_.begin_.run(); }
    ~Snapshot();
    Snapshot(Snapshot const&) = delete;
    Snapshot& operator=(Snapshot const&) = delete;

   private:
    SqliteReader& reader_;
  };

  Connection connection_;
  Durability& durability_;
  OrderLoader orders_;
  Statement begin_;
  Statement select_api_key_;
  Statement select_api_keys_;
  Statement select_events_after_;
  Statement select_timeline_;
  Statement select_effects_of_order_;
  Statement select_dead_effects_;
  Statement select_notices_of_number_;
  Statement select_due_attempts_;
  Statement select_due_refunds_;
  Statement select_due_captures_;
  Statement select_due_orders_;
  Statement select_journal_;
  Statement select_turnovers_;
  Statement select_due_notices_;
  Statement select_attempts_in_review_;
  Statement select_backlog_;
  Statement select_unbilled_;
  Statement select_statement_;
  Statement select_open_discrepancies_;
};

}  // namespace payonce::sqlite
