// One provider account as the configuration gives it. Secrets live here and in the connector only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace payonce {

struct ProviderSettings {
  std::string name;  // how orders and payments name it
  std::string kind;  // which connector: see provider/registry.cpp
  std::string url;
  std::string account;                      // our account there; notices about another one are refused
  std::string api_secret;                   // sent with calls
  std::vector<std::string> notice_secrets;  // any of them may have signed a notice, so that they can be rotated
  bool is_forgetful = false;                // sandbox only: the bank does not recognise a repeated number

  // What differs from the connector's own table.
  std::optional<Millis> call_timeout;
  std::optional<Millis> retry_first;
  std::optional<Millis> retry_longest;
  std::optional<Millis> request_life;
  std::optional<Millis> attempt_life;
  std::optional<Millis> unknown_alarm_after;
};

}  // namespace payonce
