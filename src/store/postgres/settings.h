// Where the database is and how to talk to it: the URL as psql takes it, with our proposals for what it leaves open.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace payonce::postgres {

class ConnectionSettings {
 public:
  // postgres://… or postgresql://…; PG* environment variables fill what the URL leaves open, as for psql, and come
  // before our own proposals. invalid_request when libpq can't read the URL; the error never shows it.
  static Result<ConnectionSettings> parse(std::string const& url);

  // As PQconnectdbParams wants them: two arrays ended by null, good while this lives.
  std::vector<char const*> keywords() const;
  std::vector<char const*> values() const;

 private:
  std::vector<std::pair<std::string, std::string>> options_;
};

}  // namespace payonce::postgres
