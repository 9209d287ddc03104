// The writing connection: what the committer and the delivery worker do inside their transactions.
#pragma once

#include <string>
#include <vector>

#include "store/postgres/connection.h"
#include "store/postgres/effect_claims.h"
#include "store/postgres/order_loader.h"
#include "store/postgres/row_writer.h"
#include "store/store.h"

namespace payonce::postgres {

class PostgresWriter final : public Writer {
 public:
  explicit PostgresWriter(ConnectionSettings const& settings);

  void begin() override;
  void commit() override { connection_.commit(); }
  void rollback() noexcept override { connection_.rollback(); }

  std::vector<Order> load_orders(std::span<OrderKey const> keys) override { return orders_.lock(keys); }
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
  Connection connection_;
  OrderLoader orders_;
  RowWriter rows_;
  EffectClaims claims_;
};

}  // namespace payonce::postgres
