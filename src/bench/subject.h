// The service that is measured, with its bank, started as processes of their own on a fresh database.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "process/child_process.h"

namespace payonce::bench {

// With which the bank's notices are signed.
inline constexpr std::string_view notice_secret = "bench";

struct SubjectOptions {
  std::string database;              // empty: a new SQLite file in the working folder, removed afterwards
  std::string provider = "instant";  // instant or sandbox
  int nodes = 1;                     // services on the one database
  std::string deliver_to = {};       // where effects go; empty: nobody delivers them
  // Puts into the database what should be there when the services start.
  std::function<void(std::string const& database)> fill = {};
};

class Subject {
 public:
  static Result<Subject> start(SubjectOptions const& options);
  Subject(Subject&&) = default;
  ~Subject();

  std::vector<pid_t> pids() const;
  std::vector<std::uint16_t> const& ports() const { return ports_; }
  std::string const& database() const { return database_; }
  // From starting the first service to its listening, on a database whose schema is up to date.
  Millis start_time() const { return start_time_; }
  std::string const& api_key() const { return api_key_; }

 private:
  Subject() = default;

  std::string folder_;
  std::optional<ChildProcess> bank_;
  std::vector<ChildProcess> services_;
  std::vector<std::uint16_t> ports_;
  std::string database_;
  Millis start_time_{0};
  std::string api_key_;
};

}  // namespace payonce::bench
