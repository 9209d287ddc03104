// Settings: every one of them, and every way to get one wrong.
#include "cli/configuration.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace payonce {

namespace {

using namespace std::chrono_literals;

std::string const checkout_secret(32, 'c');
std::string const effect_secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

std::string const whole_file = R"(
[server]
address = "0.0.0.0"
port = 9000
shutdown_deadline_ms = 1500

[database]
url = "sqlite:shop.db"

[log]
level = "warn"
format = "json"
requests = false

[worker]
deliveries = false

[[provider]]
name = "bank"
kind = "sandbox"
url = "http://127.0.0.1:8090"
account = "acct"
api_secret = "api-secret"
notice_secrets = ["old", "new"]
# more lines

[[merchant]]
id = "shop"
providers = ["bank"]

[[merchant.effect]]
name = "ship"
url = "http://127.0.0.1/ship"
secrets = ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"]
timeout_ms = 2000
)";

std::vector<std::string> lines_of(std::vector<Secret> const& secrets) {
  std::vector<std::string> lines;
  for (Secret const& secret : secrets) lines.push_back(secret.line());
  return lines;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  auto const at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The file above with these lines for its provider.
std::string with_provider_lines(std::string_view lines) { return replaced(whole_file, "# more lines", lines); }

Result<Settings> read(std::string const& toml, Environment const& environment = {}) {
  return read_settings(toml, "payonce.toml", environment);
}

// The message for a file that must be refused.
std::string refusal(std::string const& toml, Environment const& environment = {}) {
  auto const settings = read(toml, environment);
  if (settings) return "accepted";
  EXPECT_EQ(settings.error().code, ErrorCode::invalid_request);
  return settings.error().detail;
}

bool holds(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(Configuration, EverySettingIsRead) {
  auto const settings = read(with_provider_lines(R"(forgetful = true
call_timeout_ms = 1000
retry_first_ms = 20
retry_longest_ms = 60000
request_life_ms = 0
attempt_life_ms = 900000
unknown_alarm_after_ms = 300000)"));
  ASSERT_TRUE(settings) << settings.error().detail;
  EXPECT_EQ(settings->server.address, "0.0.0.0");
  EXPECT_EQ(settings->server.port, 9000);
  EXPECT_EQ(settings->server.shutdown_deadline, 1500ms);
  EXPECT_EQ(settings->database.url, "sqlite:shop.db");
  EXPECT_EQ(settings->log.level, "warn");
  EXPECT_EQ(settings->log.format, "json");
  EXPECT_FALSE(settings->log.requests);
  EXPECT_FALSE(settings->worker.deliveries);
  ProviderSettings const& provider = settings->providers.at(0);
  EXPECT_EQ(provider.name, "bank");
  EXPECT_EQ(provider.kind, "sandbox");
  EXPECT_EQ(provider.url, "http://127.0.0.1:8090");
  EXPECT_EQ(provider.account, "acct");
  EXPECT_EQ(provider.api_secret.line(), "api-secret");
  EXPECT_EQ(lines_of(provider.notice_secrets), (std::vector<std::string>{"old", "new"}));
  EXPECT_TRUE(provider.is_forgetful);
  EXPECT_EQ(provider.call_timeout, 1s);
  EXPECT_EQ(provider.retry_first, 20ms);
  EXPECT_EQ(provider.retry_longest, 60s);
  EXPECT_EQ(provider.request_life, 0ms);
  EXPECT_EQ(provider.attempt_life, 15min);
  EXPECT_EQ(provider.unknown_alarm_after, 5min);
  Merchant const& merchant = settings->merchants.at(0);
  EXPECT_EQ(merchant.id.value, "shop");
  EXPECT_EQ(merchant.providers, std::vector<std::string>{"bank"});
  EXPECT_EQ(merchant.effects.at(0).name, "ship");
  EXPECT_EQ(merchant.effects.at(0).url, "http://127.0.0.1/ship");
  EXPECT_EQ(merchant.effects.at(0).secrets.at(0).size(), 24u);
  EXPECT_EQ(merchant.effects.at(0).timeout, 2s);
}

TEST(Configuration, WithoutAFileThereAreDefaults) {
  auto const settings = read("");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->server.address, "127.0.0.1");
  EXPECT_EQ(settings->server.port, 8080);
  EXPECT_EQ(settings->server.shutdown_deadline, 20s);
  EXPECT_EQ(settings->database.url, "sqlite:payonce.db");
  EXPECT_EQ(settings->log.level, "info");
  EXPECT_EQ(settings->log.format, "text");
  EXPECT_TRUE(settings->log.requests);
  EXPECT_TRUE(settings->worker.deliveries);
}

TEST(Configuration, CheckoutsHaveASecretAnAddressAndMethods) {
  std::string const checkout = "[checkout]\nurl = \"https://pay.example/\"\nsecrets = [\"" + checkout_secret + "\"]\n";
  std::string const good = with_provider_lines("") + checkout;
  std::string const method = "[[merchant.method]]\nprovider = \"bank\"\n";
  auto const of_shop = [](Result<Settings> const& settings) {
    return settings->checkout.methods_of(MerchantId{"shop"});
  };
  auto const plain = read(good);
  ASSERT_TRUE(plain) << plain.error().detail;
  EXPECT_EQ(plain->checkout.url, "https://pay.example");
  EXPECT_EQ(plain->checkout.usable_secrets(), std::vector{checkout_secret});
  ASSERT_EQ(of_shop(plain).size(), 1u) << "each provider is a method when none is named";
  EXPECT_EQ(of_shop(plain)[0].id(), "bank");
  auto const named =
      read(with_provider_lines("") + method + "method = \"qr\"\nname = \"Bank\"\naction = \"qr\"\n" + method);
  ASSERT_TRUE(named) << named.error().detail;
  EXPECT_EQ(of_shop(named)[0].id(), "bank:qr");
  EXPECT_EQ(of_shop(named)[0].name_zh, "Bank");
  EXPECT_EQ(of_shop(named)[0].action, CheckoutMethod::Action::qr);
  EXPECT_EQ(of_shop(named)[1].action, CheckoutMethod::Action::redirect);

  EXPECT_TRUE(holds(refusal(replaced(good, "https://", "")), "checkout.url: must be the address"));
  EXPECT_TRUE(holds(refusal(replaced(good, checkout_secret, "short")), "at least 32 characters"));
  EXPECT_TRUE(holds(refusal("[checkout]\nurl = \"https://a\""), "needs one secret"));
  EXPECT_TRUE(holds(refusal(with_provider_lines("") + method + "action = \"fax\""), "must be redirect or qr"));
  EXPECT_TRUE(holds(refusal(with_provider_lines("") + replaced(method, "bank", "bonk")), "not among its providers"));
}

TEST(Configuration, AnUnknownSettingIsAnErrorThatNamesTheKnownOnes) {
  std::string const good = with_provider_lines("");
  ASSERT_TRUE(read(good));
  EXPECT_TRUE(holds(refusal("[server]\nprot = 1"),
                    "server.prot: is not a setting; known here are: address, answer_patience_ms, port"));
  EXPECT_TRUE(holds(refusal("[servers]\nport = 1"), "setting servers: is not a setting"));
  EXPECT_TRUE(holds(refusal("port = 1"), "setting port: is not a setting"));
  EXPECT_TRUE(holds(refusal(with_provider_lines("timeout_ms = 1")), "provider[0].timeout_ms: is not a setting"));
  EXPECT_TRUE(holds(refusal(replaced(good, "providers =", "provider =")), "merchant[0].provider: is not a setting"));
  EXPECT_TRUE(holds(refusal(good + "retries = 3\n"), "effect[0].retries: is not a setting"));
}

TEST(Configuration, ASettingOfAnotherTypeIsAnError) {
  EXPECT_TRUE(holds(refusal("[server]\nport = \"9000\""), "server.port: must be a whole number from 0 to 65535"));
  EXPECT_TRUE(holds(refusal("[server]\nport = 9000.0"), "must be a whole number"));
  EXPECT_TRUE(holds(refusal("[server]\naddress = 1"), "server.address: must be a text in quotes"));
  EXPECT_TRUE(holds(refusal("[log]\nrequests = \"no\""), "log.requests: must be true or false"));
  EXPECT_TRUE(holds(refusal("server = 1"), "must be written as [server]"));
  EXPECT_TRUE(holds(refusal("[provider]\nname = \"a\""), "must be written as [[provider]]"));
  EXPECT_TRUE(holds(refusal(with_provider_lines("call_timeout_ms = \"1s\"")), "must be a whole number"));
  std::string const good = with_provider_lines("");
  EXPECT_TRUE(holds(refusal(replaced(good, R"(["bank"])", R"("bank")")), "must be a list of texts"));
  EXPECT_TRUE(holds(refusal(replaced(good, R"(["old", "new"])", R"(["old", 7])")), "must be a list of texts"));
  EXPECT_TRUE(holds(refusal("[server\nport = 1"), "payonce.toml, line 1"));
}

TEST(Configuration, ASettingOutOfItsLimitsIsAnError) {
  EXPECT_TRUE(holds(refusal("[server]\nport = 65536"), "from 0 to 65535"));
  EXPECT_TRUE(holds(refusal("[server]\nport = -1"), "from 0 to 65535"));
  EXPECT_TRUE(holds(refusal("[server]\nshutdown_deadline_ms = 600001"), "from 0 to 600000"));
  EXPECT_TRUE(holds(refusal("[log]\nlevel = \"loud\""), "must be debug, info, warn or error"));
  EXPECT_TRUE(holds(refusal("[log]\nformat = \"xml\""), "must be text or json"));
  for (auto const* line :
       {"call_timeout_ms = 49", "call_timeout_ms = 120001", "retry_first_ms = 9", "retry_longest_ms = 86400001",
        "request_life_ms = -1", "attempt_life_ms = 999", "unknown_alarm_after_ms = 999"})
    EXPECT_TRUE(holds(refusal(with_provider_lines(line)), "must be a whole number from")) << line;
  std::string const good = with_provider_lines("");
  EXPECT_TRUE(holds(refusal(replaced(good, "timeout_ms = 2000", "timeout_ms = 99")), "from 100 to 60000"));
  EXPECT_TRUE(holds(refusal(replaced(good, R"(name = "ship")", R"(name = "Ship it")")), "a-z, 0-9, _ and -"));
  EXPECT_TRUE(holds(refusal(replaced(good, R"(name = "bank")", R"(name = "offline")")), "not be \"offline\""));
  EXPECT_TRUE(holds(refusal(replaced(good, R"(id = "shop")", "id = \"" + std::string(65, 's') + "\"")), "at most 64"));
}

TEST(Configuration, NamesAreUniqueAndLeadSomewhere) {
  std::string const good = with_provider_lines("");
  EXPECT_TRUE(
      holds(refusal(replaced(good, R"(["bank"])", R"(["bonk"])")), "names provider bonk, which is not configured"));
  EXPECT_TRUE(holds(refusal("[[provider]]\nname=\"a\"\nkind=\"instant\"\n[[provider]]\nname=\"a\"\nkind=\"instant\""),
                    "two named a"));
  EXPECT_TRUE(holds(refusal("[[merchant]]\nid=\"a\"\n[[merchant]]\nid=\"a\""), "two with id a"));
  std::string const effect = "[[merchant.effect]]\nname=\"ship\"\nurl=\"u\"\nsecrets=[\"" + effect_secret + "\"]\n";
  EXPECT_TRUE(holds(refusal(good + effect), "two effects named ship"));
  EXPECT_TRUE(holds(refusal(good + effect + "on=\"order.shipped\"\n"), "on: must be order.paid"));
  EXPECT_TRUE(holds(refusal("[[provider]]\nkind=\"instant\""), "provider[0].name: is missing"));
  EXPECT_TRUE(holds(refusal("[[merchant]]\nproviders=[]"), "merchant[0].id: is missing"));
}

TEST(Configuration, TheEnvironmentOverridesTheFile) {
  Environment const environment{{"PAYONCE_SERVER_ADDRESS", "::"},
                                {"PAYONCE_SERVER_PORT", "1"},
                                {"PAYONCE_SERVER_SHUTDOWN_DEADLINE_MS", "2"},
                                {"PAYONCE_DATABASE_URL", "sqlite:other.db"},
                                {"PAYONCE_LOG_LEVEL", "debug"},
                                {"PAYONCE_LOG_FORMAT", "text"},
                                {"PAYONCE_LOG_REQUESTS", "true"},
                                {"PAYONCE_WORKER_DELIVERIES", "true"},
                                {"PAYONCE_WHATEVER", "a secret may be called so"},
                                {"HOME", "/"}};
  auto const settings = read(with_provider_lines(""), environment);
  ASSERT_TRUE(settings) << settings.error().detail;
  EXPECT_EQ(settings->server.address, "::");
  EXPECT_EQ(settings->server.port, 1);
  EXPECT_EQ(settings->server.shutdown_deadline, 2ms);
  EXPECT_EQ(settings->database.url, "sqlite:other.db");
  EXPECT_EQ(settings->log.level, "debug");
  EXPECT_EQ(settings->log.format, "text");
  EXPECT_TRUE(settings->log.requests);
  EXPECT_TRUE(settings->worker.deliveries);
}

TEST(Configuration, AWrongVariableIsAnErrorToo) {
  EXPECT_TRUE(holds(refusal("", {{"PAYONCE_SERVER_PROT", "1"}}), "variable PAYONCE_SERVER_PROT is not a setting"));
  EXPECT_TRUE(holds(refusal("", {{"PAYONCE_LOG_LEVELS", "1"}}), "is not a setting"));
  EXPECT_TRUE(holds(refusal("", {{"PAYONCE_SERVER_PORT", "many"}}), "must be a whole number"));
  EXPECT_TRUE(holds(refusal("", {{"PAYONCE_SERVER_PORT", ""}}), "must be a whole number"));
  EXPECT_TRUE(holds(refusal("", {{"PAYONCE_SERVER_PORT", "70000"}}), "from 0 to 65535"));
  EXPECT_TRUE(holds(refusal("", {{"PAYONCE_LOG_REQUESTS", "yes"}}), "must be true or false"));
}

TEST(Configuration, ASecretMayStandInAVariableOrAFile) {
  std::string const path = testing::TempDir() + "secret_" + std::to_string(::getpid());
  std::ofstream{path} << "from a file\r\nsecond line\n";
  std::string const file = replaced(replaced(with_provider_lines(""), R"("api-secret")", R"("env:BANK_SECRET")"),
                                    R"("old")", "\"file:" + path + "\"");
  auto const settings = read(file, {{"BANK_SECRET", "from the environment"}});
  ASSERT_TRUE(settings) << settings.error().detail;
  EXPECT_EQ(settings->providers.at(0).api_secret.line(), "from the environment");
  EXPECT_EQ(lines_of(settings->providers.at(0).notice_secrets), (std::vector<std::string>{"from a file", "new"}));
  EXPECT_TRUE(holds(refusal(file), "api_secret: names the variable BANK_SECRET, which is not set"));
  std::filesystem::remove(path);
  EXPECT_TRUE(holds(refusal(file, {{"BANK_SECRET", "x"}}), "which can't be read or is empty"));
}

TEST(Configuration, AnEmptySecretIsRefused) {
  std::string const good = with_provider_lines("");
  EXPECT_TRUE(
      holds(refusal(replaced(good, R"(["old", "new"])", R"(["old", ""])")), "notice_secrets: holds an empty text"));
  EXPECT_TRUE(holds(refusal(replaced(good, "[\"" + effect_secret + "\"]", "[]")), "needs one secret"));
}

TEST(Configuration, NoSecretStandsInAnErrorText) {
  std::string const good = with_provider_lines("");
  for (auto const& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"" + effect_secret + "\"", "\"whsec_tooshortHUSH\""},
                                                        {"\"" + effect_secret + "\"", "\"HUSH\""},
                                                        {R"(["old", "new"])", R"(["HUSH", 7])"},
                                                        {R"(["old", "new"])", R"("HUSH")"},
                                                        {R"("api-secret")", R"(["HUSH"])"},
                                                        {R"("api-secret")", R"("HUSH)"},
                                                        {R"("api-secret")", R"("HUSH" HUSH)"},
                                                        {R"("api-secret")", R"(HUSH)"},
                                                        {R"("api-secret")", R"("HUSH\q")"}}) {
    std::string const message = refusal(replaced(good, from, to));
    EXPECT_NE(message, "accepted") << to;
    EXPECT_FALSE(holds(message, "HUSH")) << message;
  }
}

// docs/reference/configuration.md names each setting in backquotes at the start of a table row.
TEST(Configuration, TheReferenceListsEverySettingAndNoOther) {
  std::ifstream file{std::string{PAYONCE_SOURCE_DIR} + "/docs/reference/configuration.md"};
  std::set<std::string> documented;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `")) documented.insert(line.substr(3, line.find('`', 3) - 3));
  std::set<std::string> known;
  std::string const merchant = "[[merchant]]\nid=\"a\"\n";
  std::string const method = "[[merchant.method]]\nprovider=\"a\"\n";
  std::string const checkout = "[checkout]\nurl=\"https://a\"\nsecrets=[\"" + checkout_secret + "\"]\n";
  std::string const effect = "[[merchant.effect]]\nname=\"a\"\nurl=\"u\"\nsecrets=[\"" + effect_secret + "\"]\n";
  for (auto const& [prefix, table] :
       std::vector<std::pair<std::string, std::string>>{{"server.", "[server]\n"},
                                                        {"database.", "[database]\n"},
                                                        {"log.", "[log]\n"},
                                                        {"worker.", "[worker]\n"},
                                                        {"checkout.", checkout},
                                                        {"merchant.method.", merchant + method},
                                                        {"provider.", "[[provider]]\nname=\"a\"\nkind=\"b\"\n"},
                                                        {"merchant.", merchant},
                                                        {"merchant.effect.", merchant + effect}}) {
    std::string const message = refusal(table + "nothing = 1\n");
    std::string const list = message.substr(message.find("known here are: ") + 16);
    std::istringstream names{list};
    for (std::string name; std::getline(names >> std::ws, name, ',');)
      if (name != "nothing" && prefix + name != "merchant.effect" && prefix + name != "merchant.method")
        known.insert(prefix + name);
  }
  EXPECT_EQ(documented, known);
}

}  // namespace payonce
