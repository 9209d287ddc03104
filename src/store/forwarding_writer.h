// A writer that does all through another one: the base of writers that misbehave on purpose.
#pragma once

#include "store/store.h"

namespace payonce {

class ForwardingWriter : public Writer {
 public:
  explicit ForwardingWriter(Writer& real) : real_(real) {}

  void begin() override { real_.begin(); }
  void commit() override { real_.commit(); }
  std::unique_ptr<Syncer> defer_durability() override { return real_.defer_durability(); }
  void rollback() noexcept override { real_.rollback(); }
  bool has_changed_elsewhere() override { return real_.has_changed_elsewhere(); }
  std::vector<Order> load_orders(std::span<OrderKey const> keys) override { return real_.load_orders(keys); }
  std::vector<std::optional<KeyHolder>> find_keys(std::span<MerchantKey const> keys) override {
    return real_.find_keys(keys);
  }
  std::vector<std::optional<OrderKey>> find_attempts(std::span<AttemptId const> ids) override {
    return real_.find_attempts(ids);
  }
  std::vector<std::optional<NoticeRow>> find_notices(std::span<NoticeId const> ids) override {
    return real_.find_notices(ids);
  }
  void write(WriteSet const& changes) override { real_.write(changes); }
  std::vector<DueEffect> claim_effects(MerchantId const& merchant, std::string const& name, Time now, Time until,
                                       std::size_t limit) override {
    return real_.claim_effects(merchant, name, now, until, limit);
  }
  void record_deliveries(std::span<DeliveryResult const> results) override { real_.record_deliveries(results); }
  bool resend_effect(MerchantId const& merchant, EffectName const& effect, Time now) override {
    return real_.resend_effect(merchant, effect, now);
  }
  void insert_api_key(ApiKeyRow const& key) override { real_.insert_api_key(key); }
  bool revoke_api_key(MerchantId const& merchant, std::string const& name, Time now) override {
    return real_.revoke_api_key(merchant, name, now);
  }
  void insert_audit(AuditRow const& row) override { real_.insert_audit(row); }

  void put_statement(StatementRow const& statement) override { real_.put_statement(statement); }
  bool resolve_discrepancy(MerchantId const& merchant, std::string const& id, std::string const& actor,
                           std::string const& note, Time now) override {
    return real_.resolve_discrepancy(merchant, id, actor, note, now);
  }
  void resolve_answered_discrepancies(std::string const& provider, Time now) override {
    real_.resolve_answered_discrepancies(provider, now);
  }

 private:
  Writer& real_;
};

}  // namespace payonce
