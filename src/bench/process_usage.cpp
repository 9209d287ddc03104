#include "bench/process_usage.h"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace payonce::bench {

namespace {

std::chrono::microseconds cpu_time(pid_t pid) {
  std::ifstream file{"/proc/" + std::to_string(pid) + "/stat"};
  std::string text;
  std::getline(file, text);
  auto const name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  // Behind the name come field 3 (state) and so on; user and system time are fields 14 and 15, in clock ticks.
  std::istringstream fields{text.substr(name_end + 2)};
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  std::int64_t user = 0;
  std::int64_t system = 0;
  fields >> user >> system;
  return std::chrono::microseconds{(user + system) * 1'000'000 / sysconf(_SC_CLK_TCK)};
}

std::int64_t written_bytes(pid_t pid) {
  std::ifstream file{"/proc/" + std::to_string(pid) + "/io"};
  std::string name;
  std::int64_t value = 0;
  while (file >> name >> value)
    if (name == "write_bytes:") return value;
  return 0;
}

}  // namespace

Usage usage_of(pid_t pid) { return {cpu_time(pid), written_bytes(pid)}; }

Usage usage_of(std::span<pid_t const> pids) {
  Usage all;
  for (pid_t const pid : pids) all += usage_of(pid);
  return all;
}

double resident_mb(pid_t pid) {
  std::ifstream file{"/proc/" + std::to_string(pid) + "/statm"};
  std::int64_t total_pages = 0;
  std::int64_t resident_pages = 0;
  file >> total_pages >> resident_pages;
  return static_cast<double>(resident_pages * sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

}  // namespace payonce::bench
