// The service that is measured, with its bank, started as processes of their own on a fresh database.
#pragma once

#include <optional>
#include <string>

#include "process/child_process.h"

namespace payonce::bench {

struct SubjectOptions {
  std::string database;              // empty: a new SQLite file in the working folder, removed afterwards
  std::string provider = "instant";  // instant or sandbox
};

class Subject {
 public:
  static Result<Subject> start(SubjectOptions const& options);
  Subject(Subject&&) = default;
  ~Subject();

  pid_t pid() const { return service_->pid(); }
  std::uint16_t port() const { return port_; }
  std::string const& api_key() const { return api_key_; }

 private:
  Subject() = default;

  std::string folder_;
  std::optional<ChildProcess> bank_;
  std::optional<ChildProcess> service_;
  std::uint16_t port_ = 0;
  std::string api_key_;
};

}  // namespace payonce::bench
