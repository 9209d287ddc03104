// The configuration of a world's service, as text.
#pragma once

#include <string>

#include "drill/channel.h"
#include "drill/shop.h"

namespace payonce::drill {

// What notices of the bank's own dialect are signed with. The drill's processes end with it and listen to this machine
// only.
inline constexpr char const* notice_secret = "drill-notice-secret";

struct ConfigFacts {
  Channel const& channel;
  std::string database;     // its URL
  std::string bank_url;     // http://127.0.0.1:PORT
  std::string keys;         // the folder that the bank keeps its channel's keys in; empty without keys
  std::string notices_url;  // the whole address
  std::string shop_url;
  std::string effect_secret;
  bool is_forgetful;
  Millis call_timeout;
};

// Throws ScenarioFailed if the bank's settings can't be read.
std::string config_text(ConfigFacts const& facts);

}  // namespace payonce::drill
