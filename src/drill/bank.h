// The sandbox bank as a process of its own, and what a scenario does to it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drill/backstage.h"
#include "process/child_process.h"

namespace payonce::drill {

struct BankOptions {
  std::string folder;         // for its ledger and its log
  std::string notify_url;     // where notices go
  std::string keys = {};      // the folder of keys of the providers' dialects; empty: it speaks its own alone
  bool is_forgetful = false;  // charges every request, also under a number it has seen
};

// What the bank did, about one order or about all.
struct Ledger {
  int charged = 0;   // charges that succeeded: money that moved
  int refunded = 0;  // refunds that succeeded
  std::int64_t charged_minor = 0;
  struct Charge {
    std::string number;
    std::string status;
  };
  std::vector<Charge> charges;
  std::map<std::string, int> calls;  // by kind: create, query, close, refund, notice, …

  int calls_of(std::string const& kind) const;
};

// Where an order is asked for: whichever it is.
inline constexpr char const* any_order = "";

class Bank {
 public:
  Bank(Backstage& backstage, BankOptions options) : backstage_(backstage), options_(std::move(options)) {}

  // Throws ScenarioFailed, as everything here does.
  void start();
  // After it died: on the same address, with the same ledger.
  void restart();
  void wait_until_dead();

  std::string const& url() const { return url_; }
  // The next `times` calls of this kind about this order suffer this fault.
  void hit(std::string_view call, std::string_view fault, std::string const& order, int times = 1,
           std::optional<Millis> delay = std::nullopt);
  Ledger ledger(std::string const& order) const;
  // Sends a notice about a charge by hand, once: "succeeded", "dispute_opened", …
  void send_notice(std::string const& number, std::string_view status) const;
  // Gives money back at the bank's own desk, without payonce.
  void refund_at_the_desk(std::string const& refund_number, std::string const& charge_number,
                          std::int64_t amount) const;

 private:
  void launch(std::string const& port);

  Backstage& backstage_;
  BankOptions const options_;
  std::string url_;
  std::optional<ChildProcess> process_;
};

}  // namespace payonce::drill
