#include "support/postgres_server.h"

#include <libpq-fe.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

namespace payonce::test {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

fs::path newest_programs() {
  std::vector<fs::path> versions;
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator("/usr/lib/postgresql", ignored))
    if (fs::exists(entry.path() / "bin" / "initdb")) versions.push_back(entry.path());
  if (versions.empty()) throw std::runtime_error("no PostgreSQL server: run tools/install-packages test");
  return *std::ranges::max_element(versions) / "bin";
}

// PostgreSQL refuses to run as root; Debian's package brings a user for it.
passwd const* server_user() {
  if (::geteuid() != 0) return nullptr;
  passwd const* const user = ::getpwnam("postgres");
  return user ? user : ::getpwnam("nobody");
}

// The program as that user, and gone as soon as we are.
std::vector<std::string> as_server_user(std::vector<std::string> const& command) {
  std::vector<std::string> whole{"setpriv", "--pdeathsig=QUIT"};
  if (passwd const* const user = server_user()) {
    whole.push_back("--reuid=" + std::to_string(user->pw_uid));
    whole.push_back("--regid=" + std::to_string(user->pw_gid));
    whole.push_back("--clear-groups");
  }
  whole.insert(whole.end(), command.begin(), command.end());
  return whole;
}

std::string text_of(fs::path const& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

ChildProcess start_process(std::vector<std::string> const& command, fs::path const& log) {
  auto started = ChildProcess::start(as_server_user(command), {.log_file = log.string()});
  if (!started) throw std::runtime_error(started.error().detail);
  return std::move(*started);
}

}  // namespace

PostgresServer::PostgresServer() : programs_(newest_programs()), owner_(::getpid()) {
  std::string name = (fs::temp_directory_path() / "payonce-pg-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  folder_ = name;
  passwd const* const user = server_user();
  if (user && ::chown(name.c_str(), user->pw_uid, user->pw_gid) != 0) throw std::runtime_error("can't give " + name);
  // A collation that sorts like a dictionary, so that tests see where ours must not depend on it.
  auto initialising = start_process({programs_ / "initdb", "--pgdata=" + (folder_ / "data").string(),
                                     "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8",
                                     "--locale-provider=icu", "--icu-locale=en", "--no-sync", "--no-instructions"},
                                    folder_ / "initdb.log");
  if (initialising.wait(60s) != 0) throw std::runtime_error("initdb: " + text_of(folder_ / "initdb.log"));
  start();
}

PostgresServer::~PostgresServer() {
  if (::getpid() != owner_) return;  // a child of a death test
  if (process_) {
    process_->signal(SIGQUIT);
    process_->wait(10s);
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

void PostgresServer::start() {
  std::vector<std::string> command{programs_ / "postgres", "-D", folder_ / "data", "-k", folder_.string()};
  for (char const* const setting :
       {"listen_addresses=", "fsync=off", "full_page_writes=off", "autovacuum=off", "shared_buffers=32MB",
        "max_connections=60", "max_prepared_transactions=5", "deadlock_timeout=100ms", "checkpoint_timeout=1h"})
    command.insert(command.end(), {"-c", setting});
  process_ = start_process(command, folder_ / "server.log");
  for (int tries = 0; !execute("public", "SELECT 1"); ++tries) {
    if (tries == 1'000) throw std::runtime_error("postgres: " + text_of(folder_ / "server.log"));
    std::this_thread::sleep_for(10ms);
  }
}

void PostgresServer::crash() {
  process_->signal(SIGQUIT);
  process_->wait(10s);
  process_.reset();
}

std::string PostgresServer::create_schema() {
  std::string name = "test_" + std::to_string(++schemas_);
  if (!execute("public", "CREATE SCHEMA " + name)) throw std::runtime_error(text_of(folder_ / "server.log"));
  return name;
}

std::string PostgresServer::url(std::string const& schema) const {
  return "postgresql://postgres@/postgres?host=" + folder_.string() + "&options=-csearch_path%3D" + schema;
}

std::string PostgresServer::socket_file() const { return (folder_ / ".s.PGSQL.5432").string(); }

std::optional<std::string> PostgresServer::execute(std::string const& schema, std::string const& sql) const {
  std::unique_ptr<PGconn, decltype(&PQfinish)> const connection{PQconnectdb(url(schema).c_str()), &PQfinish};
  std::unique_ptr<PGresult, decltype(&PQclear)> const result{PQexec(connection.get(), sql.c_str()), &PQclear};
  auto const status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) return std::nullopt;
  std::string lines;
  for (int row = 0; row < PQntuples(result.get()); ++row)
    lines += (row > 0 ? "\n" : "") + std::string{PQgetvalue(result.get(), row, 0)};
  return lines;
}

}  // namespace payonce::test
