#include "store/postgres/settings.h"

#include <libpq-fe.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace payonce::postgres {

namespace {

struct Proposal {
  std::string_view keyword;
  char const* value;
};

// A connection that is dead must be known to be dead before those who wait for it give up (limits::wait_max).
constexpr Proposal proposals[] = {
    {"connect_timeout", "5"},
    // A server that turned into a standby must not be taken for the primary.
    {"target_session_attrs", "read-write"},
    {"keepalives_idle", "5"},
    {"keepalives_interval", "2"},
    {"keepalives_count", "3"},
    {"tcp_user_timeout", "10000"},
    {"fallback_application_name", "payonce"},
};

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

bool is_set_by_environment(PQconninfoOption const& option) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment
  return option.envvar != nullptr && std::getenv(option.envvar) != nullptr;
}

// The proposal for an option that nobody has set, or null.
char const* proposal_for(PQconninfoOption const& option) {
  if (is_set_by_environment(option)) return nullptr;
  for (Proposal const& proposal : proposals)
    if (proposal.keyword == option.keyword) return proposal.value;
  return nullptr;
}

}  // namespace

Result<ConnectionSettings> ConnectionSettings::parse(std::string const& url) {
  char* message = nullptr;
  std::unique_ptr<PQconninfoOption, FreeOptions> const parsed{PQconninfoParse(url.c_str(), &message)};
  // libpq's message may quote a piece of the password.
  PQfreemem(message);
  if (!parsed)
    return fail(ErrorCode::invalid_request,
                "the PostgreSQL database url can't be read: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with "
                "special characters in it as %XX");
  ConnectionSettings settings;
  for (PQconninfoOption const* option = parsed.get(); option->keyword; ++option) {
    // All texts go to and fro as UTF-8, whatever the environment says.
    char const* const value = std::string_view{option->keyword} == "client_encoding" ? "UTF8"
                              : option->val                                          ? option->val
                                                                                     : proposal_for(*option);
    if (value) settings.options_.emplace_back(option->keyword, value);
  }
  return settings;
}

std::vector<char const*> ConnectionSettings::keywords() const {
  std::vector<char const*> list;
  list.reserve(options_.size() + 1);
  for (auto const& [keyword, value] : options_) list.push_back(keyword.c_str());
  list.push_back(nullptr);
  return list;
}

std::vector<char const*> ConnectionSettings::values() const {
  std::vector<char const*> list;
  list.reserve(options_.size() + 1);
  for (auto const& [keyword, value] : options_) list.push_back(value.c_str());
  list.push_back(nullptr);
  return list;
}

}  // namespace payonce::postgres
