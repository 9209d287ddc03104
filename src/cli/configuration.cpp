#include "cli/configuration.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <ranges>
#include <sstream>

#include "base/limits.h"
#include "cli/toml_reader.h"
#include "engine/effect_message.h"
#include "net/url.h"
#include "provider/registry.h"

extern char** environ;

namespace payonce {

namespace {

constexpr std::int64_t day_ms = 24 * 3'600'000;

void read_server(TomlReader& reader, Settings::Server& server) {
  server.address = reader.text("address", server.address);
  server.port = static_cast<std::uint16_t>(reader.number("port", server.port, 0, 65535));
  if (auto const patience = reader.millis("answer_patience_ms", 1'000, 120'000)) server.answer_patience = *patience;
  if (auto const deadline = reader.millis("shutdown_deadline_ms", 0, 600'000)) server.shutdown_deadline = *deadline;
}

void read_log(TomlReader& reader, Settings::Log& log) {
  log.level = reader.text("level", log.level);
  log.format = reader.text("format", log.format);
  log.requests = reader.flag("requests", log.requests);
  constexpr std::array<std::string_view, 4> levels = {"debug", "info", "warn", "error"};
  if (std::ranges::find(levels, log.level) == levels.end())
    reader.refuse("level", "must be debug, info, warn or error");
  if (log.format != "text" && log.format != "json") reader.refuse("format", "must be text or json");
}

std::vector<Secret> read_option(TomlReader& reader, ProviderOption const& option) {
  using Type = ProviderOption::Type;
  if (option.type == Type::secrets) return reader.secrets(option.name);
  if (option.type == Type::flag) return {reader.flag(option.name, option.fallback == "true") ? "true" : "false"};
  if (option.type == Type::secret) return {reader.secret(option.name)};
  std::string const value = reader.text(option.name, std::string{option.fallback});
  bool const is_choice = std::ranges::any_of(option.choices | std::views::split(' '), [&](auto const& choice) {
    return std::string_view{choice.begin(), choice.end()} == value;
  });
  if (option.type == Type::choice && !is_choice)
    reader.refuse(option.name, fmt::format("must be one of: {}", option.choices));
  return {value};
}

// What the connector of this kind asks for; an unknown kind is refused when the provider is built.
void read_options(TomlReader& reader, ProviderSettings& provider) {
  Connector const* const connector = find_connector(provider.kind);
  if (!connector) return;
  for (ProviderOption const& option : connector->options) {
    auto values = read_option(reader, option);
    std::erase_if(values, [](Secret const& value) { return value.empty(); });
    if (values.empty() && option.is_required)
      reader.refuse(option.name, fmt::format("is needed by kind \"{}\"", provider.kind));
    provider.options.emplace(option.name, std::move(values));
  }
}

ProviderSettings read_provider(TomlReader& reader) {
  ProviderSettings provider;
  provider.name = reader.required_text("name");
  provider.kind = reader.required_text("kind");
  provider.url = reader.text("url", {});
  provider.account = reader.text("account", {});
  provider.api_secret = reader.secret("api_secret");
  provider.notice_secrets = reader.secrets("notice_secrets");
  provider.is_forgetful = reader.flag("forgetful", false);
  provider.call_timeout = reader.millis("call_timeout_ms", 50, 120'000);
  provider.retry_first = reader.millis("retry_first_ms", 10, 3'600'000);
  provider.retry_longest = reader.millis("retry_longest_ms", 10, day_ms);
  provider.request_life = reader.millis("request_life_ms", 0, day_ms);
  provider.attempt_life = reader.millis("attempt_life_ms", 1'000, 90 * day_ms);
  provider.unknown_alarm_after = reader.millis("unknown_alarm_after_ms", 1'000, 90 * day_ms);
  provider.refund_spacing = reader.millis("refund_spacing_ms", 0, day_ms);
  provider.reads_statements = reader.flag("statements", true);
  provider.statement_ready = reader.millis("statement_ready_ms", 0, 90 * day_ms);
  provider.calls_max = static_cast<int>(reader.number("calls_max", provider.calls_max, 1, 16'384));
  provider.breaker_failures = static_cast<int>(reader.number("breaker_failures", provider.breaker_failures, 1, 10'000));
  if (auto const pause = reader.millis("breaker_pause_ms", 100, 60'000)) provider.breaker_pause = *pause;
  read_options(reader, provider);
  if (provider.name.size() > limits::provider_name_chars || provider.name == "offline")
    reader.refuse("name",
                  fmt::format("must have at most {} characters and not be \"offline\"", limits::provider_name_chars));
  return provider;
}

EffectTarget read_effect(TomlReader& reader) {
  EffectTarget target;
  target.name = reader.required_text("name");
  target.url = reader.required_text("url");
  if (auto const timeout = reader.millis("timeout_ms", 100, 60'000)) target.timeout = *timeout;
  for (Secret const& text : reader.secrets("secrets")) {
    auto const secret = parse_effect_secret(text.line());
    if (!secret) reader.refuse("secrets", secret.error().detail);
    target.secrets.push_back(secret.value_or(std::string{}));
  }
  auto const on = parse_trigger(reader.text("on", std::string{to_text(target.on)}));
  if (!on)
    reader.refuse("on",
                  "must be order.paid, payment.succeeded, payment.authorized, payment.surplus, payment.disputed, "
                  "payment.dispute_won, "
                  "payment.reversed, refund.succeeded or refund.failed");
  target.on = on.value_or(target.on);
  if (target.secrets.empty()) reader.refuse("secrets", "needs one secret, or two while they are rotated");
  bool const is_plain = std::ranges::all_of(
      target.name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; });
  if (!is_plain || target.name.size() > limits::effect_name_chars)
    reader.refuse("name", fmt::format("must have at most {} of a-z, 0-9, _ and -", limits::effect_name_chars));
  return target;
}

void read_checkout(TomlReader& reader, CheckoutSettings& checkout) {
  checkout.url = reader.text("url", {});
  checkout.secrets = reader.secrets("secrets");
  while (checkout.url.ends_with('/')) checkout.url.pop_back();
  if (!is_web_address(checkout.url))
    reader.refuse("url", "must be the address that buyers reach, https://… in real life");
  if (checkout.secrets.empty() || checkout.usable_secrets().size() < checkout.secrets.size())
    reader.refuse("secrets", fmt::format("needs one secret of at least {} characters, or two while they are rotated",
                                         checkout_secret_chars_min));
}

CheckoutMethod read_checkout_method(TomlReader& reader) {
  CheckoutMethod method = default_checkout_method(reader.required_text("provider"));
  method.method = reader.text("method", {});
  method.name_en = reader.text("name", method.name_en);
  method.name_zh = reader.text("name_zh", reader.text("name", method.name_zh));
  std::string const action = reader.text("action", "redirect");
  if (action == "qr") method.action = CheckoutMethod::Action::qr;
  if (action != "qr" && action != "redirect") reader.refuse("action", "must be redirect or qr");
  return method;
}

// Reads and checks the whole file, one table after the other.
class SettingsReader {
 public:
  SettingsReader(toml::table const& root, Environment const& environment) : root_(root), environment_(environment) {}

  Result<Settings> read() {
    TomlReader root{root_, "", environment_, error_};
    section(root, "server", [&](TomlReader& reader) { read_server(reader, settings_.server); });
    section(root, "database",
            [&](TomlReader& reader) { settings_.database.url = reader.text("url", settings_.database.url); });
    section(root, "worker", [&](TomlReader& reader) {
      settings_.worker.deliveries = reader.flag("deliveries", settings_.worker.deliveries);
    });
    section(root, "checkout", [&](TomlReader& reader) { read_checkout(reader, settings_.checkout); });
    section(root, "log", [&](TomlReader& reader) { read_log(reader, settings_.log); });
    each(root, "provider", [&](TomlReader& reader) { settings_.providers.push_back(read_provider(reader)); });
    each(root, "merchant", [&](TomlReader& reader) { read_merchant(reader); });
    root.refuse_unknown();
    check_names();
    if (error_) return std::unexpected(*error_);
    return std::move(settings_);
  }

 private:
  template <class Read>
  void section(TomlReader& root, std::string_view name, Read read) {
    if (auto const* table = root.table(name)) read_table(*table, std::string{name}, read);
  }
  template <class Read>
  void each(TomlReader& owner, std::string_view name, Read read) {
    int index = 0;
    for (toml::table const* table : owner.tables(name)) read_table(*table, fmt::format("{}[{}]", name, index++), read);
  }
  template <class Read>
  void read_table(toml::table const& table, std::string path, Read read) {
    TomlReader reader{table, std::move(path), environment_, error_};
    read(reader);
    reader.refuse_unknown();
  }

  void read_merchant(TomlReader& reader) {
    Merchant merchant;
    merchant.id = MerchantId{reader.required_text("id")};
    merchant.providers = reader.texts("providers");
    auto& methods = settings_.checkout.methods[merchant.id];
    each(reader, "method", [&](TomlReader& method) { methods.push_back(read_checkout_method(method)); });
    if (methods.empty())
      std::ranges::transform(merchant.providers, std::back_inserter(methods), default_checkout_method);
    auto const switch_mode = parse_switch_mode(reader.text("switch", std::string{to_text(merchant.switch_mode)}));
    if (!switch_mode) reader.refuse("switch", "must be strict or release");
    merchant.switch_mode = switch_mode.value_or(merchant.switch_mode);
    auto const surplus = parse_surplus_policy(reader.text("surplus", std::string{to_text(merchant.surplus)}));
    if (!surplus) reader.refuse("surplus", "must be automatic or manual");
    merchant.surplus = surplus.value_or(merchant.surplus);
    each(reader, "effect", [&](TomlReader& effect) { merchant.effects.push_back(read_effect(effect)); });
    if (merchant.id.value.size() > limits::merchant_id_chars)
      reader.refuse("id", fmt::format("must have at most {} characters", limits::merchant_id_chars));
    if (merchant.effects.size() > limits::effects_per_merchant)
      reader.refuse("effect", fmt::format("there may be at most {}", limits::effects_per_merchant));
    settings_.merchants.push_back(std::move(merchant));
  }

  // Names are unique, and what a merchant names exists.
  void check_names() {
    std::set<std::string> providers;
    for (ProviderSettings const& provider : settings_.providers)
      if (!providers.insert(provider.name).second)
        refuse("provider", fmt::format("there are two named {}", provider.name));
    std::set<MerchantId> merchants;
    for (Merchant const& merchant : settings_.merchants) {
      if (!merchants.insert(merchant.id).second)
        refuse("merchant", fmt::format("there are two with id {}", merchant.id.value));
      for (std::string const& name : merchant.providers)
        if (!providers.contains(name))
          refuse("merchant", fmt::format("{} names provider {}, which is not configured", merchant.id.value, name));
      for (CheckoutMethod const& method : settings_.checkout.methods_of(merchant.id))
        if (std::ranges::find(merchant.providers, method.provider) == merchant.providers.end())
          refuse("merchant", fmt::format("{} offers a method of {}, which is not among its providers",
                                         merchant.id.value, method.provider));
      std::set<std::string> effects;
      for (EffectTarget const& effect : merchant.effects)
        if (!effects.insert(effect.name).second)
          refuse("merchant", fmt::format("{} has two effects named {}", merchant.id.value, effect.name));
    }
  }
  void refuse(std::string_view key, std::string const& why) {
    TomlReader{root_, "", environment_, error_}.refuse(key, why);
  }

  toml::table const& root_;
  Environment const& environment_;
  std::optional<Error> error_;
  Settings settings_;
};

// Settings that may also come from the environment, with the type they have in TOML.
struct EnvironmentSetting {
  std::string_view variable;
  std::string_view section;
  std::string_view key;
  enum class Type { text, number, flag } type;
};
constexpr EnvironmentSetting environment_settings[] = {
    {"PAYONCE_SERVER_ADDRESS", "server", "address", EnvironmentSetting::Type::text},
    {"PAYONCE_SERVER_PORT", "server", "port", EnvironmentSetting::Type::number},
    {"PAYONCE_SERVER_SHUTDOWN_DEADLINE_MS", "server", "shutdown_deadline_ms", EnvironmentSetting::Type::number},
    {"PAYONCE_SERVER_ANSWER_PATIENCE_MS", "server", "answer_patience_ms", EnvironmentSetting::Type::number},
    {"PAYONCE_DATABASE_URL", "database", "url", EnvironmentSetting::Type::text},
    {"PAYONCE_WORKER_DELIVERIES", "worker", "deliveries", EnvironmentSetting::Type::flag},
    {"PAYONCE_LOG_LEVEL", "log", "level", EnvironmentSetting::Type::text},
    {"PAYONCE_LOG_FORMAT", "log", "format", EnvironmentSetting::Type::text},
    {"PAYONCE_LOG_REQUESTS", "log", "requests", EnvironmentSetting::Type::flag},
};

Result<void> put(toml::table& root, EnvironmentSetting const& setting, std::string const& value) {
  toml::table* const section = root.insert(setting.section, toml::table{}).first->second.as_table();
  auto const refuse = [&](std::string_view what) {
    return fail(ErrorCode::invalid_request, fmt::format("variable {}: must be {}", setting.variable, what));
  };
  if (!section) return refuse("left out while the file misspells its section");
  if (setting.type == EnvironmentSetting::Type::text) {
    section->insert_or_assign(setting.key, value);
  } else if (setting.type == EnvironmentSetting::Type::flag) {
    if (value != "true" && value != "false") return refuse("true or false");
    section->insert_or_assign(setting.key, value == "true");
  } else {
    bool const is_number =
        !value.empty() && value.size() < 10 && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number) return refuse("a whole number");
    section->insert_or_assign(setting.key, std::stoll(value));
  }
  return {};
}

Result<void> put_environment(toml::table& root, Environment const& environment) {
  for (auto const& [name, value] : environment) {
    if (!name.starts_with("PAYONCE_")) continue;
    auto const* const setting =
        std::ranges::find(environment_settings, std::string_view{name}, &EnvironmentSetting::variable);
    // A secret that a setting names by env: may have any name but one of these prefixes.
    bool const looks_like_setting = name.starts_with("PAYONCE_SERVER_") || name.starts_with("PAYONCE_DATABASE_") ||
                                    name.starts_with("PAYONCE_LOG_") || name.starts_with("PAYONCE_WORKER_");
    if (setting != std::end(environment_settings)) {
      if (auto const done = put(root, *setting, value); !done) return done;
    } else if (looks_like_setting) {
      return fail(ErrorCode::invalid_request, fmt::format("variable {} is not a setting", name));
    }
  }
  return {};
}

}  // namespace

Environment process_environment() {
  Environment environment;
  for (char** entry = environ; *entry; ++entry) {
    std::string_view const text = *entry;
    auto const equals = text.find('=');
    if (equals != std::string_view::npos) environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

Result<Settings> read_settings(std::string_view toml, std::string_view origin, Environment const& environment) {
  toml::table root;
  try {
    root = toml::parse(toml, origin);
  } catch (toml::parse_error const& error) {
    return fail(ErrorCode::invalid_request,
                fmt::format("{}, line {}: {}", origin, error.source().begin.line, error.description()));
  }
  if (auto const done = put_environment(root, environment); !done) return std::unexpected(done.error());
  auto settings = SettingsReader{root, environment}.read();
  if (!settings) settings.error().detail = fmt::format("{}: {}", origin, settings.error().detail);
  return settings;
}

Result<Settings> load_settings(std::string const& path) {
  if (path.empty()) return read_settings("", "environment", process_environment());
  std::ifstream file{path};
  if (!file)
    return fail(ErrorCode::invalid_request, fmt::format("configuration file {} can't be read; check the path", path));
  std::ostringstream text;
  text << file.rdbuf();
  return read_settings(text.str(), path, process_environment());
}

}  // namespace payonce
