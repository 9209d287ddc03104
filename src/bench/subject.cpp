#include "bench/subject.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "process/own_server.h"

namespace payonce::bench {

namespace {

using namespace std::chrono_literals;

// Three effects are written with each payment; their delivery is another measurement, so it is mostly off.
constexpr std::string_view config = R"([server]
port = 0
[database]
url = "{database}"
[log]
level = "warn"
requests = false
[worker]
deliveries = {delivers}
[[provider]]
name = "{provider}"
kind = "{provider}"
url = "{bank_url}"
account = "sandbox-account"
notice_secrets = ["{notice_secret}"]
[[merchant]]
id = "bench"
providers = ["{provider}"]
)";
constexpr std::string_view effect = R"([[merchant.effect]]
name = "{}"
url = "{}"
secrets = ["whsec_YmVuY2htYXJrLXNlY3JldC1ub3QtdXNlZC1oZXJl"]
)";

// The number at the end of http://127.0.0.1:PORT.
std::uint16_t port_in(std::string const& url) {
  return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
}

}  // namespace

Result<Subject> Subject::start(SubjectOptions const& options) {
  Subject subject;
  char folder[] = "payonce-bench-XXXXXX";
  if (!mkdtemp(folder)) return fail(ErrorCode::unavailable, "can't make a folder for the benchmark here");
  subject.folder_ = folder;
  std::string const database = options.database.empty() ? fmt::format("sqlite:{}/bench.db", folder) : options.database;
  std::string const program = own_program();

  std::string bank_url;
  if (options.provider == "sandbox") {
    auto bank = start_own_server({"sandbox", "--port", "0", "--data", subject.folder_ + "/ledger.jsonl"}, {});
    if (!bank) return std::unexpected(bank.error());
    bank_url = std::move(bank->url);
    subject.bank_ = std::move(bank->process);
  }
  std::string const config_path = subject.folder_ + "/payonce.toml";
  std::ofstream file{config_path};
  file << fmt::format(config, fmt::arg("database", database), fmt::arg("provider", options.provider),
                      fmt::arg("bank_url", bank_url), fmt::arg("notice_secret", notice_secret),
                      fmt::arg("delivers", !options.deliver_to.empty()));
  for (std::string_view const name : {"ship", "points", "notify"})
    file << fmt::format(effect, name, options.deliver_to.empty() ? "http://127.0.0.1:9/" : options.deliver_to);
  file.close();

  auto key = ChildProcess::start(
      {program, "key", "create", "--merchant", "bench", "--name", subject.folder_, "--database", database},
      {.log_file = subject.folder_ + "/key.log"});
  if (!key) return std::unexpected(key.error());
  auto const secret = key->wait_for_line("pok_", 60s);
  if (!secret) return fail(ErrorCode::unavailable, "no API key could be made in " + database);
  key->wait(10s);
  subject.api_key_ = *secret;

  subject.database_ = database;
  if (options.fill) options.fill(database);
  SystemClock const clock;
  for (int i = 0; i < options.nodes; ++i) {
    auto const start = clock.monotonic();
    auto service = start_own_server({"serve", "--config", config_path}, {});
    if (!service) return std::unexpected(service.error());
    if (i == 0) subject.start_time_ = std::chrono::duration_cast<Millis>(clock.monotonic() - start);
    subject.ports_.push_back(port_in(service->url));
    subject.services_.push_back(std::move(service->process));
  }
  return subject;
}

std::vector<pid_t> Subject::pids() const {
  std::vector<pid_t> pids;
  for (ChildProcess const& service : services_) pids.push_back(service.pid());
  return pids;
}

Subject::~Subject() {
  for (ChildProcess& service : services_) service.stop(30s);
  if (bank_) bank_->stop(5s);
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace payonce::bench
