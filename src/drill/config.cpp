#include "drill/config.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <map>

#include "drill/patience.h"

namespace payonce::drill {

namespace {

namespace json = boost::json;

using Values = std::map<std::string, std::string, std::less<>>;

// Times are short so that a drill of many failures ends soon; what they mean stands in the configuration's reference.
constexpr std::string_view frame = R"([server]
shutdown_deadline_ms = 5000

[database]
url = "{database}"

[log]
level = "info"

[[provider]]
name = "{kind}"
kind = "{kind}"
call_timeout_ms = {call_timeout_ms}
retry_first_ms = 50
retry_longest_ms = 400
request_life_ms = 300
unknown_alarm_after_ms = 60000
statement_ready_ms = 0
{provider}
[[merchant]]
id = "drill"
providers = ["{kind}"]
)";

constexpr std::string_view effect = R"(
[[merchant.effect]]
name = "{name}"
url = "{shop}/{name}"
secrets = ["{secret}"]
timeout_ms = 2000
)";

// The text with each {name} replaced by its value.
std::string fill(std::string_view text, Values const& values) {
  std::string filled;
  while (!text.empty()) {
    std::size_t const open = text.find('{');
    filled += text.substr(0, open);
    if (open == std::string_view::npos) break;
    std::size_t const close = text.find('}', open);
    expect(close != std::string_view::npos, "every { of the configuration has its }");
    std::string_view const name = text.substr(open + 1, close - open - 1);
    auto const value = values.find(name);
    expect(value != values.end(), fmt::format("the bank tells its {}", name));
    filled += value->second;
    text.remove_prefix(close + 1);
  }
  return filled;
}

// What the bank wrote down for its merchant.
void add_settings(Values& values, std::string const& keys) {
  std::ifstream file{keys + "/settings.json"};
  std::string const text{std::istreambuf_iterator<char>{file}, {}};
  boost::system::error_code error;
  json::value const settings = json::parse(text, error);
  expect(!error && settings.is_object(), "the bank has written its settings into " + keys);
  for (auto const& setting : settings.get_object())
    if (setting.value().is_string()) values.emplace(setting.key(), setting.value().get_string());
}

}  // namespace

std::string config_text(ConfigFacts const& facts) {
  Values values{{"database", facts.database},
                {"kind", std::string{facts.channel.kind}},
                {"call_timeout_ms", std::to_string(facts.call_timeout.count())},
                {"bank", facts.bank_url},
                {"keys", facts.keys},
                {"notices", facts.notices_url},
                {"notice_secret", notice_secret},
                {"forgetful", facts.is_forgetful ? "true" : "false"}};
  if (facts.channel.has_keys) add_settings(values, facts.keys);
  values["provider"] = fill(facts.channel.config, values);
  std::string text = fill(frame, values);
  for (std::string_view const name : Shop::effect_names)
    text += fill(effect, {{"name", std::string{name}}, {"shop", facts.shop_url}, {"secret", facts.effect_secret}});
  return text;
}

}  // namespace payonce::drill
