// A node's connector to a simulated bank, with the network between them: what is sent may be lost, late or doubled, and
// so may what comes back.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "provider/provider.h"
#include "simulate/bank.h"

namespace payonce::simulate {

class Teller final : public Provider {
 public:
  struct Ways {
    std::function<bool()> is_open;  // whether node and bank reach each other now
    // Before a call leaves: is what it is about in the books?
    std::function<void(ProviderCall const&)> inspect;
  };

  Teller(Stage& stage, Bank& bank, Agenda::Owner node, Ways ways);
  ~Teller() override;

  ProviderTerms const& terms() const override { return terms_; }
  void call(ProviderCall const& call, Done done) override;
  Result<Notice> read_notice(HttpRequest const& request, Time now) const override;
  HttpResponse acknowledge(bool is_safe) const override;

 private:
  class Line;
  ProviderTerms terms_;
  std::shared_ptr<Line> line_;  // outlives the node while calls are on their way
};

// A bank's notice as it travels.
std::string write_notice(BankNotice const& notice);

}  // namespace payonce::simulate
