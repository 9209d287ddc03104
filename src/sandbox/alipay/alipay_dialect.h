// Alipay's gateway over the bank: precreate, page, wap and app payments, query, close, cancel, refund, bills,
// notices.
// Source: opendocs.alipay.com/open (alipay.trade.*, notices 203/105286). Not for: signatures and amounts (wire.h).
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "sandbox/alipay/wire.h"
#include "sandbox/bill.h"
#include "sandbox/dialect.h"

namespace payonce::sandbox::alipay {

class AlipayDialect final : public Dialect {
 public:
  AlipayDialect(DialectParts parts, AlipayKeys keys);

  std::string_view name() const override { return "alipay"; }
  bool understands(HttpRequest const& request, Target const& target) const override;
  void handle(HttpRequest const& request, Target const& target, Respond respond) override;

  std::string account() const override { return keys_.seller_id; }
  std::string url(NoticeFacts const& facts) const override;
  std::string body(NoticeFacts const& facts, bool wrong_signature) const override;
  HttpHeaders headers(std::string const& body, bool wrong_signature) const override;
  // Only the seven bytes "success" end the tries.
  bool is_taken(HttpAnswer const& answer) const override;

 private:
  // A call that passed the gateway's checks.
  struct Asked {
    std::string method;
    Parameters parameters;
    boost::json::object content;  // of biz_content
    std::string text(std::string_view name) const;
  };
  // What a merchant offered, and the trade that came of it once a buyer opened it (`charge.id` is empty until then).
  struct Trade {
    boost::json::object offer;
    Charge charge;
    bool is_open() const;
    bool is_paid() const { return charge.state == ChargeState::succeeded; }
    bool exists() const { return !charge.id.empty(); }
  };
  struct Served {
    Call call;
    CallResult (AlipayDialect::*execute)(Asked const&, Injection);
  };

  HttpResponse check(Parameters const& parameters) const;
  static Served const* served(std::string_view method);
  void serve(Asked asked, Served const& served, Respond respond);

  // trade_calls.cpp
  CallResult precreate(Asked const& asked, Injection injection);
  CallResult query(Asked const& asked, Injection injection);
  CallResult close(Asked const& asked, Injection injection);
  CallResult cancel(Asked const& asked, Injection injection);
  void open_cashier(Asked asked, Respond respond);
  void scan(std::string number, Respond respond);
  CallResult offer(Asked const& asked);
  HttpResponse open_trade(std::string const& number);
  Trade find(Asked const& asked) const;
  Trade find_number(std::string const& number) const;
  boost::json::object trade_fields(Trade const& trade) const;
  std::string_view trade_status(Trade const& trade) const;
  std::string order_of(Asked const& asked) const;

  // refund_calls.cpp
  CallResult refund(Asked const& asked, Injection injection);
  CallResult query_refund(Asked const& asked, Injection injection);

  // bill.cpp
  CallResult bill_address(Asked const& asked, Injection injection);
  HttpResponse bill(std::string const& day) const;
  std::vector<BillLine> lines_of_day(std::string const& day) const;

  DialectParts const parts_;
  AlipayKeys const keys_;
};

}  // namespace payonce::sandbox::alipay
