// The writing connection: what the committer and the delivery worker do inside their transactions.
#pragma once

#include <string>
#include <vector>

#include "store/sqlite/checkpointer.h"
#include "store/sqlite/durability.h"
#include "store/sqlite/effect_claims.h"
#include "store/sqlite/log_buffer.h"
#include "store/sqlite/order_loader.h"
#include "store/sqlite/row_writer.h"
#include "store/sqlite/statement.h"
#include "store/store.h"

namespace payonce::sqlite {

class SqliteWriter final : public Writer {
 public:
  SqliteWriter(std::string const& path, Checkpointer& checkpointer, Durability& durability);
  ~SqliteWriter() override;

  void begin() override;
  void commit() override;
  void rollback() noexcept override;
  std::unique_ptr<Syncer> defer_durability() override;
  bool has_changed_elsewhere() override;

  std::vector<Order> load_orders(std::span<OrderKey const> keys) override;
  std::vector<std::optional<KeyHolder>> find_keys(std::span<MerchantKey const> keys) override;
  std::vector<std::optional<OrderKey>> find_attempts(std::span<AttemptId const> attempts) override;
  std::vector<std::optional<NoticeRow>> find_notices(std::span<NoticeId const> ids) override;

  void write(WriteSet const& changes) override { rows_.write(changes); }

  std::vector<DueEffect> claim_effects(MerchantId const& merchant, std::string const& name, Time now, Time lease_until,
                                       std::size_t limit) override {
    return claims_.claim(merchant, name, now, lease_until, limit);
  }
  void record_deliveries(std::span<DeliveryResult const> results) override { claims_.record(results); }
  bool resend_effect(MerchantId const& merchant, EffectName const& effect, Time now) override {
    return claims_.resend(merchant, effect, now);
  }

  void insert_api_key(ApiKeyRow const& key) override;
  bool revoke_api_key(MerchantId const& merchant, std::string const& name, Time now) override;
  void insert_audit(AuditRow const& row) override;
  void put_statement(StatementRow const& statement) override;
  bool resolve_discrepancy(MerchantId const& merchant, std::string const& id, std::string const& actor,
                           std::string const& note, Time now) override;
  void resolve_answered_discrepancies(std::string const& provider, Time now) override;

 private:
  LogBuffer log_;  // outlives the connection
  Connection connection_;
  Checkpointer& checkpointer_;
  Durability& durability_;
  bool is_deferring_ = false;
  OrderLoader orders_;
  RowWriter rows_;
  EffectClaims claims_;
  Statement data_version_;
  std::int64_t seen_version_ = -1;
  Statement select_key_is_known_;
  Statement select_holder_of_key_;
  Statement select_order_of_attempt_;
  Statement select_notice_;
  Statement insert_api_key_;
  Statement revoke_api_key_;
  Statement insert_audit_;
  Statement put_statement_;
  Statement resolve_discrepancy_;
  Statement resolve_answered_discrepancies_;
};

}  // namespace payonce::sqlite
