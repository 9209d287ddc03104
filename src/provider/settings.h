// One provider account as the configuration gives it. Secrets live here and in the connector only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "provider/secret.h"

namespace payonce {

struct ProviderSettings {
  std::string name;  // how orders and payments name it
  std::string kind;  // which connector: see provider/registry.cpp
  std::string url;
  std::string account;                 // our account there; notices about another one are refused
  Secret api_secret;                   // sent with calls
  std::vector<Secret> notice_secrets;  // any of them may have signed a notice, so that they can be rotated
  bool is_forgetful = false;           // sandbox only: the bank does not recognise a repeated number

  // What the connector asks for beyond this, by name; see provider/option.h.
  std::map<std::string, std::vector<Secret>, std::less<>> options;

  // What differs from the connector's own table.
  std::optional<Millis> call_timeout;
  std::optional<Millis> retry_first;
  std::optional<Millis> retry_longest;
  std::optional<Millis> request_life;
  std::optional<Millis> attempt_life;
  std::optional<Millis> unknown_alarm_after;
  std::optional<Millis> refund_spacing;  // never less than the connector's table says; see provider/spacing.h
  std::optional<Millis> statement_ready;
  bool reads_statements = true;

  // When a day's statement can be had, by these settings or else by the connector's table; never if it is not read.
  std::optional<Millis> statement_ready_or(Millis by_the_table) const {
    return reads_statements ? std::optional{statement_ready.value_or(by_the_table)} : std::nullopt;
  }

  // How its calls are guarded, see provider/guarded_client.h.
  int calls_max = 1'024;
  int breaker_failures = 20;
  Millis breaker_pause{5'000};

  // The option's first line, or empty. Texts, choices and flags ("true", "false") are read by this.
  std::string option(std::string_view option_name) const {
    auto const at = options.find(option_name);
    return at == options.end() || at->second.empty() ? std::string{} : at->second.front().line();
  }
  // The option as it may change while we run, or an empty secret.
  Secret secret(std::string_view option_name) const {
    auto const at = options.find(option_name);
    return at == options.end() || at->second.empty() ? Secret{} : at->second.front();
  }
};

}  // namespace payonce
