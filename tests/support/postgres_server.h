// A PostgreSQL server of the tests' own: Debian's programs in a temporary folder, reached through a socket in it, also
// when the tests run as root. Fast rather than safe: it does not sync.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "process/child_process.h"

namespace payonce::test {

class PostgresServer {
 public:
  PostgresServer();
  ~PostgresServer();
  PostgresServer(PostgresServer const&) = delete;
  PostgresServer& operator=(PostgresServer const&) = delete;

  // The one of this process, started by the first call and stopped at its end.
  static PostgresServer& shared();

  // A new, empty schema in the server's one database: much cheaper than a database, and as good as one for whoever
  // comes with the URL. Its name.
  std::string create_schema();
  std::string url(std::string const& schema) const;
  std::string socket_file() const;

  // Runs SQL; the first column of the last statement's rows as lines, or nothing when it is refused.
  std::optional<std::string> execute(std::string const& schema, std::string const& sql) const;

  // Ends the server as a crash does, and starts it again.
  void crash();
  void start();

 private:
  std::filesystem::path folder_;
  std::filesystem::path programs_;
  std::optional<ChildProcess> process_;
  pid_t owner_;
  int schemas_ = 0;
};

}  // namespace payonce::test
