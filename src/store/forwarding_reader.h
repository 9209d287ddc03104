// A reader that does all through another one: the base of readers that misbehave on purpose.
#pragma once

#include "store/store.h"

namespace payonce {

class ForwardingReader : public Reader {
 public:
  explicit ForwardingReader(Reader& real) : real_(real) {}

  void wait_until_durable() override { real_.wait_until_durable(); }
  std::optional<Order> find_order(OrderKey const& key) override { return real_.find_order(key); }
  std::vector<FoundAttempt> find_attempts(std::span<AttemptId const> ids) override { return real_.find_attempts(ids); }
  std::optional<FoundRefund> find_refund(RefundId const& refund) override { return real_.find_refund(refund); }
  std::optional<FoundCapture> find_capture(CaptureId const& id) override { return real_.find_capture(id); }
  std::optional<ApiKeyRow> find_api_key(std::string const& hash_hex) override { return real_.find_api_key(hash_hex); }
  std::vector<ApiKeyRow> api_keys(MerchantId const& merchant) override { return real_.api_keys(merchant); }
  std::vector<StoredEvent> events_after(MerchantId const& merchant, std::int64_t after, std::size_t limit) override {
    return real_.events_after(merchant, after, limit);
  }
  std::vector<Posting> journal_of(OrderKey const& key) override { return real_.journal_of(key); }
  std::vector<Turnover> turnovers(MerchantId const& merchant, Time from, Time until) override {
    return real_.turnovers(merchant, from, until);
  }
  std::vector<StoredEvent> timeline(OrderKey const& key) override { return real_.timeline(key); }
  std::vector<Effect> effects_of(OrderKey const& key) override { return real_.effects_of(key); }
  std::vector<Effect> dead_effects(MerchantId const& merchant, std::size_t limit) override {
    return real_.dead_effects(merchant, limit);
  }
  std::vector<NoticeRow> notices_of(AttemptId const& attempt) override { return real_.notices_of(attempt); }
  std::vector<DueAttempt> due_attempts(Time now, std::size_t limit) override { return real_.due_attempts(now, limit); }
  std::vector<DueRefund> due_refunds(Time now, std::size_t limit) override { return real_.due_refunds(now, limit); }
  std::vector<DueCapture> due_captures(Time now, std::size_t limit) override { return real_.due_captures(now, limit); }
  std::vector<DueOrder> due_orders(Time now, std::size_t limit) override { return real_.due_orders(now, limit); }
  std::vector<NoticeRow> due_notices(Time now, std::size_t limit) override { return real_.due_notices(now, limit); }
  std::vector<FoundAttempt> attempts_in_review(MerchantId const& merchant, std::size_t limit) override {
    return real_.attempts_in_review(merchant, limit);
  }
  Backlog backlog() override { return real_.backlog(); }
  std::vector<Posting> unbilled(MerchantId const& merchant, std::string const& provider, Time from, Time until,
                                std::size_t limit) override {
    return real_.unbilled(merchant, provider, from, until, limit);
  }
  std::optional<StatementRow> find_statement(std::string const& provider, std::string const& day) override {
    return real_.find_statement(provider, day);
  }
  std::vector<Discrepancy> open_discrepancies(MerchantId const& merchant, std::size_t limit) override {
    return real_.open_discrepancies(merchant, limit);
  }
  std::vector<Order> orders_after(OrderKey const& after, std::size_t limit) override {
    return real_.orders_after(after, limit);
  }

 private:
  Reader& real_;
};

}  // namespace payonce
